-- The way to take commands back, told in lists of games. In every game that there is, nothing can be taken back.
ALTER TABLE lobby ADD COLUMN undo text NOT NULL DEFAULT 'none';
