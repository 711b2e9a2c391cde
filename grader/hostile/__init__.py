"""The hostile suite: programs that attack the sandbox, and who plays and judges them."""
