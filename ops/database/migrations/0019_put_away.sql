-- A course that somebody took from a game and put away again: its log stands, but there is no such game for anybody.
ALTER TABLE game_access DROP CONSTRAINT game_access_visibility_check;
ALTER TABLE game_access ADD CONSTRAINT game_access_visibility_check
  CHECK (visibility IN ('unlisted', 'private', 'hidden'));
