import java.util.Scanner;

/** My Connect Four program. It takes the first legal column; now make it better. */
public class Main {
    public static void main(String[] args) {
        Scanner in = new Scanner(System.in);
        String me = in.next();  // X or O
        while (in.hasNext()) {
            String[] board = new String[6];  // rows from the top; a point is an empty place
            for (int row = 0; row < board.length; row++) {
                board[row] = in.next();
            }
            int[] legal = new int[in.nextInt()];
            for (int i = 0; i < legal.length; i++) {
                legal[i] = in.nextInt();
            }
            int last = in.nextInt();  // the opponent's column, or -1
            System.out.println(legal[0]);
        }
    }
}
