#error "the engine has this file"
