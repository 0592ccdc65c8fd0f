-- The totals under the lists of movements, kept as rows change, so that a list does not add up all its rows. A change appends one row to
-- "movement_total_changes" for what it adds and one for what it takes away, in the transaction of the change: nothing is updated, so that
-- no worker waits for another one's counter. The worker moves what was appended into "movement_totals", in one statement. A total is the
-- sum of both tables in one snapshot.
CREATE TABLE "movement_totals" (
    "merchant_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "span" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "wallet" TEXT NOT NULL,
    "bucket" TEXT COLLATE "C" NOT NULL,
    "part" TEXT COLLATE "C" NOT NULL,
    "currency" TEXT NOT NULL,
    "count" BIGINT NOT NULL,
    "sum_minor" BIGINT NOT NULL,

    CONSTRAINT "movement_totals_pkey" PRIMARY KEY ("merchant_id","kind","span","day","wallet","bucket","part","currency")
);

CREATE TABLE "movement_total_changes" (
    "merchant_id" UUID NOT NULL,
    "id" BIGSERIAL NOT NULL,
    "kind" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "wallet" TEXT NOT NULL,
    "bucket" TEXT COLLATE "C" NOT NULL,
    "part" TEXT COLLATE "C" NOT NULL,
    "currency" TEXT NOT NULL,
    "count" INTEGER NOT NULL,
    "sum_minor" BIGINT NOT NULL,

    CONSTRAINT "movement_total_changes_pkey" PRIMARY KEY ("merchant_id","id")
);

-- The last comparison of the totals with the movements themselves. "wrong": how many totals differed.
CREATE TABLE "movement_total_checks" (
    "merchant_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL,
    "wrong" INTEGER NOT NULL,

    CONSTRAINT "movement_total_checks_pkey" PRIMARY KEY ("merchant_id")
);

-- What Prisma has no words for --------------------------------------------------------------------------------------

ALTER TABLE "movement_totals" ADD CONSTRAINT "movement_totals_span" CHECK (span IN ('day', 'month') AND (span = 'day' OR extract(day FROM day) = 1));

-- The part of a list's totals that a movement belongs to: money that left for good, that came back, that is on its way, whose outcome is
-- unknown, or that never left.
CREATE FUNCTION movement_part(state TEXT, returned TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE PARALLEL SAFE RETURN CASE
  WHEN state = 'COMPLETED' AND returned = 'NONE' THEN 'paid'
  WHEN state = 'COMPLETED' AND returned = 'CONFIRMED' THEN 'returned'
  WHEN state IN ('DRAFT', 'AWAITING_APPROVAL', 'APPROVED', 'SUBMITTING', 'PENDING') THEN 'pending'
  WHEN state IN ('REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED') THEN 'unpaid'
  ELSE 'unknown' END;

-- Days of Istanbul; a list in another zone adds its days up itself.
CREATE FUNCTION movement_day(at TIMESTAMPTZ) RETURNS DATE LANGUAGE sql STABLE PARALLEL SAFE RETURN (at AT TIME ZONE 'Europe/Istanbul')::date;

-- As the owner of the tables: neither web nor worker may write a total.
CREATE FUNCTION movements_counted() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    INSERT INTO movement_total_changes (merchant_id, kind, day, wallet, bucket, part, currency, count, sum_minor)
    VALUES
      (OLD.merchant_id, OLD.kind, movement_day(OLD.created_at), OLD.wallet, OLD.bucket, movement_part(OLD.state, OLD.returned), OLD.currency, -1, -OLD.amount_minor),
      (NEW.merchant_id, NEW.kind, movement_day(NEW.created_at), NEW.wallet, NEW.bucket, movement_part(NEW.state, NEW.returned), NEW.currency, 1, NEW.amount_minor);
  ELSE
    INSERT INTO movement_total_changes (merchant_id, kind, day, wallet, bucket, part, currency, count, sum_minor)
    VALUES (NEW.merchant_id, NEW.kind, movement_day(NEW.created_at), NEW.wallet, NEW.bucket, movement_part(NEW.state, NEW.returned), NEW.currency, 1, NEW.amount_minor);
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER movements_counted_new AFTER INSERT ON "movements" FOR EACH ROW EXECUTE FUNCTION movements_counted();
-- Merchant, kind and time never change (movements_guard), and no movement is deleted.
CREATE TRIGGER movements_counted AFTER UPDATE ON "movements" FOR EACH ROW
  WHEN ((OLD.wallet, OLD.bucket, movement_part(OLD.state, OLD.returned), OLD.currency, OLD.amount_minor)
    IS DISTINCT FROM (NEW.wallet, NEW.bucket, movement_part(NEW.state, NEW.returned), NEW.currency, NEW.amount_minor))
  EXECUTE FUNCTION movements_counted();

-- Moves at most this many changes of the asking transaction's merchant into the totals and answers how many there were. Two workers take
-- different changes, and write the totals in one order, so that neither waits for the other in a circle.
CREATE FUNCTION fold_movement_totals(most INTEGER) RETURNS INTEGER LANGUAGE sql VOLATILE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH gone AS (
    DELETE FROM movement_total_changes WHERE (merchant_id, id) IN (
      SELECT merchant_id, id FROM movement_total_changes
      WHERE merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid
      ORDER BY merchant_id, id LIMIT most FOR UPDATE SKIP LOCKED)
    RETURNING merchant_id, kind, day, wallet, bucket, part, currency, count, sum_minor),
  added AS (
    INSERT INTO movement_totals AS t (merchant_id, kind, span, day, wallet, bucket, part, currency, count, sum_minor)
    SELECT g.merchant_id, g.kind, s.span, s.day, g.wallet, g.bucket, g.part, g.currency, sum(g.count), sum(g.sum_minor)::bigint
      FROM gone g CROSS JOIN LATERAL (VALUES ('day', g.day), ('month', date_trunc('month', g.day)::date)) s (span, day)
      GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 HAVING sum(g.count) <> 0 OR sum(g.sum_minor) <> 0
      ORDER BY 1, 2, 3, 4, 5, 6, 7, 8
    ON CONFLICT (merchant_id, kind, span, day, wallet, bucket, part, currency)
      DO UPDATE SET count = t.count + excluded.count, sum_minor = t.sum_minor + excluded.sum_minor)
  SELECT count(*)::int FROM gone
$$;

-- Counts everything anew: for the migration, and for whoever runs the installation when the nightly check found a difference.
CREATE FUNCTION recount_movement_totals() RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOCK TABLE movements, movement_total_changes, movement_totals IN SHARE ROW EXCLUSIVE MODE;
  DELETE FROM movement_total_changes;
  DELETE FROM movement_totals;
  INSERT INTO movement_totals (merchant_id, kind, span, day, wallet, bucket, part, currency, count, sum_minor)
  SELECT m.merchant_id, m.kind, s.span, s.day, m.wallet, m.bucket, movement_part(m.state, m.returned), m.currency, count(*), sum(m.amount_minor)::bigint
    FROM movements m CROSS JOIN LATERAL (VALUES ('day', movement_day(m.created_at)), ('month', date_trunc('month', movement_day(m.created_at))::date)) s (span, day)
    GROUP BY 1, 2, 3, 4, 5, 6, 7, 8;
END $$;
SELECT recount_movement_totals();

REVOKE ALL ON FUNCTION fold_movement_totals, recount_movement_totals, movements_counted FROM PUBLIC;
GRANT EXECUTE ON FUNCTION fold_movement_totals TO dashboard_worker;

DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['movement_totals', 'movement_total_changes', 'movement_total_checks'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)', t);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
  END LOOP;
END $$;
GRANT INSERT, UPDATE ON "movement_total_checks" TO dashboard_worker;
-- Both tables change all the time and stay small.
ALTER TABLE "movement_totals" SET (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.05);
ALTER TABLE "movement_total_changes" SET (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000);
