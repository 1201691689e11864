class Invalid(Exception): pass
def check(m,c): raise Invalid
