"""The guide's example programs, shown on its pages as they are; tests run them."""
