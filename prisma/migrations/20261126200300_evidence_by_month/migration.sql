-- Evidence is the table that grows most: it is divided by month, in UTC, so that old months can be taken away whole and no index grows
-- for ever (decision 55). What there is becomes the first part, as it is: nothing is copied. Web and worker read and write "evidence" as
-- before, and no part by its own name.
-- small: no row is read or written while the locks are held; they are taken in the order in which payments take them
LOCK TABLE "movements" IN SHARE ROW EXCLUSIVE MODE;
-- small: the same
LOCK TABLE "evidence" IN ACCESS EXCLUSIVE MODE;
ALTER TABLE "evidence" RENAME TO "evidence_first";
ALTER TABLE "evidence_first" DROP CONSTRAINT "evidence_pkey";
ALTER TABLE "evidence_first" ADD CONSTRAINT "evidence_first_pkey" PRIMARY KEY USING INDEX "evidence_first_pkey";
ALTER INDEX "evidence_movement_id_id_idx" RENAME TO "evidence_first_movement_id_id_idx";
-- Trigger, policy and rights are those of the whole table, below.
DROP TRIGGER evidence_append_only ON "evidence_first";
DROP POLICY one_merchant ON "evidence_first";
REVOKE ALL ON "evidence_first" FROM dashboard_web, dashboard_worker;

CREATE TABLE "evidence" (LIKE "evidence_first" INCLUDING DEFAULTS) PARTITION BY RANGE ("at");
ALTER SEQUENCE "evidence_id_seq" OWNED BY "evidence"."id";
ALTER TABLE "evidence" ADD CONSTRAINT "evidence_pkey" PRIMARY KEY ("id", "at");
CREATE INDEX "evidence_movement_id_id_idx" ON "evidence"("movement_id", "id");
ALTER TABLE "evidence" ADD CONSTRAINT "evidence_movement_id_fkey" FOREIGN KEY ("movement_id") REFERENCES "movements"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
ALTER TABLE "evidence" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "evidence" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT, INSERT ON "evidence" TO dashboard_web, dashboard_worker;

DO $$
DECLARE bound TEXT;
BEGIN
  SELECT substring(pg_get_constraintdef(oid) FROM '''([^'']+)''') INTO bound FROM pg_constraint WHERE conname = 'evidence_first_at';
  EXECUTE format('ALTER TABLE evidence ATTACH PARTITION evidence_first FOR VALUES FROM (MINVALUE) TO (%L)', bound);
END $$;
ALTER TABLE "evidence_first" DROP CONSTRAINT "evidence_first_at";
-- A row of a month without a part is stored here, so that no row is refused for its month.
CREATE TABLE "evidence_rest" PARTITION OF "evidence" DEFAULT;
ALTER TABLE "evidence_rest" ENABLE ROW LEVEL SECURITY;
CREATE TRIGGER evidence_append_only BEFORE UPDATE OR DELETE ON "evidence" FOR EACH ROW EXECUTE FUNCTION append_only();

-- Makes the parts of the months up to "ahead" months from now that are missing, and answers how many. A month of which rows are in
-- "evidence_rest" keeps them there. A lock is waited for half a second at most, and before a payment could find a deadlock: the next call
-- does the rest.
CREATE FUNCTION add_evidence_months(ahead INTEGER) RETURNS INTEGER LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp SET lock_timeout = '500ms' AS $$
DECLARE
  beginning TIMESTAMP;
  part TEXT;
  made INTEGER := 0;
BEGIN
  SELECT max(substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)')::timestamptz) AT TIME ZONE 'UTC' INTO beginning
    FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'evidence'::regclass;
  WHILE beginning < (clock_timestamp() AT TIME ZONE 'UTC') + make_interval(months => ahead) LOOP
    part := 'evidence_' || to_char(beginning, 'YYYY_MM');
    BEGIN
      -- In the order in which payments take them.
      LOCK TABLE movements IN SHARE ROW EXCLUSIVE MODE;
      EXECUTE format('CREATE TABLE %I (LIKE evidence INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', part);
      EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', part);
      EXECUTE format('ALTER TABLE evidence ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', part,
        beginning AT TIME ZONE 'UTC', (beginning + interval '1 month') AT TIME ZONE 'UTC');
      made := made + 1;
    EXCEPTION
      WHEN check_violation THEN NULL;
      WHEN lock_not_available OR deadlock_detected OR duplicate_table OR unique_violation THEN RETURN made;
    END;
    beginning := beginning + interval '1 month';
  END LOOP;
  RETURN made;
END $$;

-- Takes the parts away that end before this day, except those with evidence of a movement that is still open, and answers their names.
-- The month that is being written to, and later ones, cannot be taken away. Each is then a table of its own, to be stored elsewhere and dropped. For whoever runs the installation.
CREATE FUNCTION detach_evidence_before(before DATE) RETURNS SETOF TEXT LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  part TEXT;
  is_open BOOLEAN;
BEGIN
  IF before > date_trunc('month', clock_timestamp() AT TIME ZONE 'UTC') THEN
    RAISE EXCEPTION 'evidence of this month and of later ones stays: % is too late', before;
  END IF;
  FOR part IN SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid WHERE i.inhparent = 'evidence'::regclass
      AND substring(pg_get_expr(c.relpartbound, c.oid) FROM 'TO \(''([^'']+)''\)')::timestamptz <= before::timestamp AT TIME ZONE 'UTC'
      ORDER BY 1 LOOP
    EXECUTE format('SELECT EXISTS (SELECT FROM %I e JOIN movements m ON m.id = e.movement_id WHERE m.ended_at IS NULL)', part) INTO is_open;
    CONTINUE WHEN is_open;
    EXECUTE format('ALTER TABLE evidence DETACH PARTITION %I', part);
    RETURN NEXT part;
  END LOOP;
END $$;
REVOKE ALL ON FUNCTION add_evidence_months, detach_evidence_before FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_evidence_months TO dashboard_worker;
SELECT add_evidence_months(2);
