-- The guard as it was ("passkeys"), but a key that was removed since allows no further key: who has found a lost key could
-- otherwise have answered with it before, and added a key of their own after two people removed it.
CREATE OR REPLACE FUNCTION passkeys_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  has_keys BOOLEAN;
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'a passkey is never deleted' USING ERRCODE = 'MV062'; END IF;
  PERFORM FROM people WHERE id = NEW.person_id FOR NO KEY UPDATE;
  SELECT EXISTS (SELECT FROM passkeys k WHERE k.person_id = NEW.person_id AND k.removed_at IS NULL AND k.id <> NEW.id) INTO has_keys;
  IF TG_OP = 'INSERT' THEN
    IF NOT EXISTS (SELECT FROM step_ups s JOIN step_up_challenges c ON c.id = s.challenge_id
        WHERE s.id = NEW.added_with AND s.merchant_id = NEW.merchant_id AND s.person_id = NEW.person_id AND c.purpose = 'add_key'
          AND s.at > clock_timestamp() - interval '10 minutes'
          AND CASE WHEN s.method = 'passkey'
            THEN EXISTS (SELECT FROM passkeys k WHERE k.id = s.passkey_id AND k.removed_at IS NULL) ELSE NOT has_keys END) THEN
      RAISE EXCEPTION 'a key is added with a key, and the first one with a fresh sign-in' USING ERRCODE = 'MV062';
    END IF;
    NEW.added_at := clock_timestamp();
    NEW.removed_at := NULL;
    RETURN NEW;
  END IF;
  IF (NEW.id, NEW.merchant_id, NEW.person_id, NEW.credential_id, NEW.rp_id, NEW.cose_key, NEW.public_key, NEW.added_with, NEW.added_at)
     IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.person_id, OLD.credential_id, OLD.rp_id, OLD.cose_key, OLD.public_key, OLD.added_with, OLD.added_at)
     OR NEW.counter < OLD.counter OR OLD.removed_at IS NOT NULL THEN
    RAISE EXCEPTION 'a passkey is used or removed, and never changed' USING ERRCODE = 'MV062';
  END IF;
  IF NEW.removed_at IS NOT NULL AND NOT has_keys
     AND NOT second_person_agreed(NEW.merchant_id, 'person', 'keys:' || NEW.person_id::text, NEW.person_id, ARRAY['passkeys_lost']) THEN
    RAISE EXCEPTION 'the last key is removed by two other people' USING ERRCODE = 'MV063';
  END IF;
  RETURN NEW;
END $$;
