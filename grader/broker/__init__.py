"""The connection of the site and its graders through Redis: the transport, and signed reports."""
