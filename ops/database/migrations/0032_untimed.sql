-- Games of tournaments without clocks change no rating any more: all is counted again.
UPDATE rating_state SET model = '';
