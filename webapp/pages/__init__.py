"""Pages over HTTP: addresses, views and forms by subject, and what several subjects share.

No subject imports another; what two need is a module beside them.
"""
