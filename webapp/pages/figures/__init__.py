"""Charts of an agent's figures, as inline SVG: x in percent and y in pixels, so that one drawing
fits every width. Colours come from the style sheet; each says in words what it shows.
"""
