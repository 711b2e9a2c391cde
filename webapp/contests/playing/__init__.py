"""Games of people with agents: they count nowhere, on deals of their own."""
