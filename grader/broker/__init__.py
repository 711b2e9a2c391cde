"""How the site and its graders talk through Redis: the transport, and signed reports."""
