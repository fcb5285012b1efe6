-- Codes that others have replaced stay good until then: a thief with a token cannot void them at once.
ALTER TABLE recovery_code ADD COLUMN expires_at timestamptz;
