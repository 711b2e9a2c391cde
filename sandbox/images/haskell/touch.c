/* Creates a file: all that the compiler asks of `touch`, for `.hs-boot` files. Debian's program would
   also set the file's times, which a builder may not. */
#include <fcntl.h>

int main(int count, char **arguments) {
    return count != 2 || open(arguments[1], O_WRONLY | O_CREAT | O_CLOEXEC, 0666) < 0;
}
