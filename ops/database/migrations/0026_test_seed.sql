-- A log whose secrets follow from RUTTER_TEST_SEED keeps a fingerprint of the seed from its first start on. Without that
-- seed, or with another, nothing is written to it, and no other log is ever written with a seed.
ALTER TABLE es.service ADD COLUMN test_seed bytea CHECK (octet_length(test_seed) = 32);

CREATE OR REPLACE FUNCTION es.keep_origin() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN
  IF OLD.origin IS NOT NULL AND NEW.origin IS DISTINCT FROM OLD.origin
     AND NOT EXISTS (SELECT FROM es.succession s WHERE s.former = OLD.origin AND s.origin = NEW.origin) THEN
    RAISE EXCEPTION 'the origin of a log is given once' USING ERRCODE = 'ES405';
  END IF;
  IF OLD.origin IS NOT NULL AND NEW.test_seed IS DISTINCT FROM OLD.test_seed THEN
    RAISE EXCEPTION 'a log is made with a test seed or without one' USING ERRCODE = 'ES405';
  END IF;
  RETURN NEW;
END $$;
