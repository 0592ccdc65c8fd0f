-- Where the merchant's programs are told of what became of their payouts. The secret signs each message; the former one signs
-- beside it for a day after it was changed. Both are sealed with DATA_KEY.
CREATE TABLE "api_endpoints" (
    "merchant_id" UUID NOT NULL,
    "url" TEXT NOT NULL,
    "secret_sealed" BYTEA NOT NULL,
    "old_secret_sealed" BYTEA,
    "old_until" TIMESTAMPTZ(6),
    "set_by" UUID NOT NULL,
    "set_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_endpoints_pkey" PRIMARY KEY ("merchant_id")
);

-- The outbox: written in the transaction that changes a payout or a batch, sent by the worker until it is taken or a day is over.
CREATE TABLE "api_deliveries" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "subject_id" UUID,
    "facts" JSONB NOT NULL,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "next_at" TIMESTAMPTZ(6),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "status" INTEGER,
    "fault" TEXT,
    "answered_at" TIMESTAMPTZ(6),
    "delivered_at" TIMESTAMPTZ(6),

    CONSTRAINT "api_deliveries_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "api_deliveries_merchant_id_at_id_idx" ON "api_deliveries"("merchant_id", "at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "api_endpoints" ADD CONSTRAINT "api_endpoints_set_by_fkey" FOREIGN KEY ("set_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "api_endpoints" ADD CONSTRAINT "api_endpoints_old" CHECK ((old_secret_sealed IS NULL) = (old_until IS NULL));
ALTER TABLE "api_deliveries"
  ADD CONSTRAINT "api_deliveries_type" CHECK (type IN ('payout.updated', 'batch.updated', 'ping')),
  ADD CONSTRAINT "api_deliveries_subject" CHECK ((type = 'ping') = (subject_id IS NULL));
CREATE INDEX "api_deliveries_due" ON "api_deliveries" ("merchant_id", "next_at") WHERE next_at IS NOT NULL;

-- What a message says never changes: a repetition is the same message.
CREATE FUNCTION api_deliveries_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF (NEW.id, NEW.merchant_id, NEW.type, NEW.subject_id, NEW.facts, NEW.at) IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.type, OLD.subject_id, OLD.facts, OLD.at) THEN
    RAISE EXCEPTION 'what a message says never changes' USING ERRCODE = 'MV084';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER api_deliveries_guard BEFORE UPDATE ON "api_deliveries" FOR EACH ROW EXECUTE FUNCTION api_deliveries_guard();

-- A payout that a program began is told of at each of its states; one of a program's batch at its ends alone, because a batch has
-- thousands. Nothing is written while nobody listens.
CREATE FUNCTION movements_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF NEW.state = 'DRAFT' OR (TG_OP = 'UPDATE' AND NEW.state = OLD.state AND NEW.returned = OLD.returned)
     -- The step between preparing and being ready, where nobody has to approve.
     OR (TG_OP = 'UPDATE' AND OLD.state = 'DRAFT' AND NEW.approvals_needed = 0)
     OR NOT EXISTS (SELECT FROM api_endpoints e WHERE e.merchant_id = NEW.merchant_id) THEN RETURN NULL; END IF;
  IF EXISTS (SELECT FROM api_intents i WHERE i.subject_id = NEW.id)
     OR (NEW.state IN ('UNKNOWN', 'COMPLETED', 'REJECTED', 'FAILED', 'CANCELLED', 'EXPIRED')
       AND EXISTS (SELECT FROM batch_rows w JOIN api_intents i ON i.subject_id = w.batch_id WHERE w.movement_id = NEW.id)) THEN
    INSERT INTO api_deliveries (merchant_id, type, subject_id, facts, at, next_at)
    VALUES (NEW.merchant_id, 'payout.updated', NEW.id, jsonb_build_object('state', NEW.state, 'returned', NEW.returned,
      'amountMinor', NEW.amount_minor::text, 'currency', NEW.currency, 'wallet', NEW.wallet, 'extId', NEW.ext_id), clock_timestamp(), clock_timestamp());
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER movements_told AFTER INSERT OR UPDATE OF state, returned ON "movements" FOR EACH ROW EXECUTE FUNCTION movements_told();

CREATE FUNCTION batch_runs_told() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (NEW.hold, NEW.fed_at, NEW.stopped_at, NEW.approved_at, NEW.sent_back_reason)
      IS NOT DISTINCT FROM (OLD.hold, OLD.fed_at, OLD.stopped_at, OLD.approved_at, OLD.sent_back_reason) THEN RETURN NULL; END IF;
  IF EXISTS (SELECT FROM api_endpoints e WHERE e.merchant_id = NEW.merchant_id) AND EXISTS (SELECT FROM api_intents i WHERE i.subject_id = NEW.batch_id) THEN
    INSERT INTO api_deliveries (merchant_id, type, subject_id, facts, at, next_at)
    VALUES (NEW.merchant_id, 'batch.updated', NEW.batch_id, jsonb_build_object('hold', NEW.hold, 'fed', NEW.fed_at IS NOT NULL,
      'stopped', NEW.stopped_at IS NOT NULL, 'approved', NEW.approved_at IS NOT NULL, 'sentBack', NEW.sent_back_reason IS NOT NULL,
      'expired', NEW.approved_at IS NULL AND NEW.began_at <= clock_timestamp() - interval '24 hours'), clock_timestamp(), clock_timestamp());
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER batch_runs_told AFTER INSERT OR UPDATE ON "batch_runs" FOR EACH ROW EXECUTE FUNCTION batch_runs_told();

ALTER TABLE "api_endpoints" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "api_endpoints" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT ON "api_endpoints" TO dashboard_web, dashboard_worker;
GRANT INSERT, UPDATE, DELETE ON "api_endpoints" TO dashboard_web;
GRANT UPDATE (secret_sealed, old_secret_sealed, old_until) ON "api_endpoints" TO dashboard_worker;

ALTER TABLE "api_deliveries" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "api_deliveries" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT, INSERT ON "api_deliveries" TO dashboard_web, dashboard_worker;
GRANT UPDATE (next_at) ON "api_deliveries" TO dashboard_web;
GRANT UPDATE (next_at, tries, status, fault, answered_at, delivered_at), DELETE ON "api_deliveries" TO dashboard_worker;
