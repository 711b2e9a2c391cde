"""The guide's example programs, shown unchanged on its pages; tests run them."""
