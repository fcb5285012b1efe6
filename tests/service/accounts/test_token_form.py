from service.stores import tokens


def test_tokens_are_recognisable_and_differ():
    made = {tokens.make_token() for _ in range(100)}
    assert len(made) == 100
    assert all(token.startswith("rut_") and tokens.is_well_formed(token) for token in made)


def test_a_typing_error_is_noticed_without_a_look_up():
    token = tokens.make_token()
    for place in range(4, len(token)):
        other = "a" if token[place] != "a" else "b"
        assert not tokens.is_well_formed(token[:place] + other + token[place + 1 :])


def test_a_token_of_other_letters_is_unknown():
    """Its hash is looked for in memory before its form is: letters that cannot be hashed are no error."""
    assert tokens.Tokens(None, lambda _token: True).find("rut_ä") is None


def test_only_a_hash_is_kept():
    token = tokens.make_token()
    assert len(tokens.hash_token(token)) == 32
    assert token.encode() not in tokens.hash_token(token)
