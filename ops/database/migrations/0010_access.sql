-- Who may see a game, where that is not everybody. Written before the log, as claims to seats are: the row holds whose
-- claim is the command id of the game's first event. It is no event: it can be narrowed, and nobody need know it later.
CREATE TABLE game_access (
  game_id    uuid NOT NULL,
  claim      uuid NOT NULL,
  visibility text NOT NULL CHECK (visibility IN ('unlisted', 'private')),
  PRIMARY KEY (game_id, claim)
);
