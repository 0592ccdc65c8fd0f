-- What turns sending off, one row for each rail and cause. A claim reads these rows in its own transaction; nothing else does.
ALTER TABLE "send_switches"
  ADD COLUMN "cause" TEXT NOT NULL DEFAULT 'person',
  ADD COLUMN "off_by" UUID,
  ADD COLUMN "release_asked_by" UUID,
  ADD COLUMN "release_asked_at" TIMESTAMPTZ(6),
  ADD COLUMN "release_reason" TEXT,
  ADD COLUMN "released_by" UUID;

-- AlterTable
ALTER TABLE "send_switches" DROP CONSTRAINT "send_switches_pkey",
ADD CONSTRAINT "send_switches_pkey" PRIMARY KEY ("merchant_id", "rail", "cause");

-- AddForeignKey
ALTER TABLE "send_switches" ADD CONSTRAINT "send_switches_off_by_fkey" FOREIGN KEY ("off_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "send_switches" ADD CONSTRAINT "send_switches_release_asked_by_fkey" FOREIGN KEY ("release_asked_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "send_switches" ADD CONSTRAINT "send_switches_released_by_fkey" FOREIGN KEY ("released_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "send_switches" ADD CONSTRAINT "send_switches_cause" CHECK (cause IN ('person', 'recovery', 'environment'));

-- One is enough to stop, two are needed to go on, and the worker can only stop. Whatever the system stopped needs an owner
-- among the two.
CREATE FUNCTION send_switches_guard() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  releasers INT;
  owners INT;
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'a switch is never deleted' USING ERRCODE = 'MV020'; END IF;
  IF TG_OP = 'INSERT' THEN
    IF NOT NEW.off THEN RAISE EXCEPTION 'a switch begins by stopping' USING ERRCODE = 'MV020'; END IF;
    RETURN NEW;
  END IF;
  IF NOT OLD.off OR NEW.off THEN RETURN NEW; END IF;
  SELECT count(DISTINCT p.id), count(DISTINCT p.id) FILTER (WHERE p.role = 'owner') INTO releasers, owners FROM people p
  WHERE p.merchant_id = NEW.merchant_id AND p.id IN (OLD.release_asked_by, NEW.released_by) AND p.role IN ('approver', 'owner') AND p.disabled_at IS NULL;
  IF OLD.release_asked_by IS NULL OR NEW.release_asked_by IS DISTINCT FROM OLD.release_asked_by OR releasers < 2 OR (NEW.cause <> 'person' AND owners = 0)
     OR NOT pg_has_role(current_user, 'dashboard_web', 'MEMBER') THEN
    RAISE EXCEPTION 'sending goes on when two people say so' USING ERRCODE = 'MV021';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER send_switches_guard BEFORE INSERT OR UPDATE OR DELETE ON "send_switches" FOR EACH ROW EXECUTE FUNCTION send_switches_guard();
GRANT INSERT, UPDATE ON "send_switches" TO dashboard_worker;
