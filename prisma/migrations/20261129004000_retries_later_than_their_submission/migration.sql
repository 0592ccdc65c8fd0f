-- A draft of the unpaid rows of a batch is known by its time, which is later than the submission of the batch: parts were split off
-- before. A clock that was set back in between would let a second draft be made of the same rows.
CREATE FUNCTION batches_later() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.created_at := greatest(NEW.created_at,
    (SELECT r.began_at + interval '1 millisecond' FROM batch_runs r WHERE r.batch_id = NEW.parent_id));
  RETURN NEW;
END $$;
-- After batches_guard, which dates the row: triggers run in the order of their names.
CREATE TRIGGER batches_later BEFORE INSERT ON "batches" FOR EACH ROW WHEN (NEW.parent_id IS NOT NULL) EXECUTE FUNCTION batches_later();
