-- An invitation is found by its secret alone where somebody makes an account with it.
CREATE INDEX invitation_hash ON invitation (hash);
