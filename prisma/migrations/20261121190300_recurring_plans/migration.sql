-- The gateway lists neither plans nor the customers whose cards it keeps: what this installation knows of. A plan is as the gateway's own
-- record last described it. No card number and no card token: four digits, to tell one card from another.
CREATE TABLE "recurring_plans" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "plan_code" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "added_by" UUID,
    "status" TEXT,
    "problem" TEXT,
    "currency" TEXT NOT NULL DEFAULT 'TRY',
    "first_minor" BIGINT,
    "recurring_minor" BIGINT,
    "total_minor" BIGINT,
    "payments" INTEGER,
    "every" INTEGER,
    "cycle" TEXT,
    "first_order_id" TEXT,
    "card" TEXT,
    "next_charge_at" TIMESTAMPTZ(6),
    "started_at" TIMESTAMPTZ(6),
    "charges" JSONB NOT NULL DEFAULT '[]',
    "verified_at" TIMESTAMPTZ(6),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "last_hint_at" TIMESTAMPTZ(6),
    "next_at" TIMESTAMPTZ(6),
    "first_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "recurring_plans_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "plan_charges" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "plan_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "number" INTEGER,
    "amount_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'QUEUED',
    "reason" TEXT,
    "code" TEXT,
    "message" TEXT,
    "raw" TEXT,
    "charges_before" JSONB,
    "reads" INTEGER NOT NULL DEFAULT 0,
    "taken_minor" BIGINT,
    "taken_number" INTEGER,
    "taken_order_id" TEXT,
    "asked_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(6),
    "answered_at" TIMESTAMPTZ(6),
    "ended_at" TIMESTAMPTZ(6),
    "lease_until" TIMESTAMPTZ(6),

    CONSTRAINT "plan_charges_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "card_customers" (
    "merchant_id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "name" TEXT,
    "cards" TEXT[],
    "read_at" TIMESTAMPTZ(6) NOT NULL,
    "first_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "card_customers_pkey" PRIMARY KEY ("merchant_id","number")
);

-- CreateIndex
CREATE UNIQUE INDEX "recurring_plans_merchant_id_plan_code_key" ON "recurring_plans"("merchant_id", "plan_code");

-- CreateIndex
CREATE INDEX "recurring_plans_merchant_id_first_seen_at_id_idx" ON "recurring_plans"("merchant_id", "first_seen_at" DESC, "id");

-- CreateIndex
CREATE INDEX "plan_charges_plan_id_asked_at_idx" ON "plan_charges"("plan_id", "asked_at" DESC);

-- CreateIndex
CREATE INDEX "card_customers_merchant_id_read_at_number_idx" ON "card_customers"("merchant_id", "read_at" DESC, "number");

-- AddForeignKey
ALTER TABLE "recurring_plans" ADD CONSTRAINT "recurring_plans_added_by_fkey" FOREIGN KEY ("added_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan_charges" ADD CONSTRAINT "plan_charges_plan_id_fkey" FOREIGN KEY ("plan_id") REFERENCES "recurring_plans"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "plan_charges" ADD CONSTRAINT "plan_charges_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "recurring_plans"
  ADD CONSTRAINT "recurring_plans_source" CHECK (source IN ('payment', 'notice', 'person')),
  ADD CONSTRAINT "recurring_plans_status" CHECK (status IN ('active', 'inactive', 'completed', 'unknown')),
  ADD CONSTRAINT "recurring_plans_problem" CHECK (problem IN ('not_found', 'no_answer', 'contradiction')),
  ADD CONSTRAINT "recurring_plans_cycle" CHECK (cycle IN ('day', 'month', 'year', 'unknown')),
  ADD CONSTRAINT "recurring_plans_card" CHECK (card ~ '^[0-9]{4}$');
CREATE INDEX "recurring_plans_due" ON "recurring_plans" ("merchant_id", "next_at") WHERE next_at IS NOT NULL;

ALTER TABLE "card_customers"
  ADD CONSTRAINT "card_customers_number" CHECK (number ~ '^[0-9]{1,19}$'),
  ADD CONSTRAINT "card_customers_cards" CHECK (array_to_string(cards, ',', '-') ~ '^([0-9]{4}(,[0-9]{4})*)?$');

ALTER TABLE "plan_charges"
  ADD CONSTRAINT "plan_charges_state" CHECK (state IN ('QUEUED', 'SENDING', 'APPROVED', 'UNKNOWN', 'CHARGED', 'NOT_CHARGED')),
  ADD CONSTRAINT "plan_charges_amount" CHECK (amount_minor > 0);
-- Until it is known what became of one charge of a plan, no other is asked for.
CREATE UNIQUE INDEX "plan_charges_open" ON "plan_charges" ("plan_id") WHERE state IN ('QUEUED', 'SENDING', 'APPROVED', 'UNKNOWN');
CREATE INDEX "plan_charges_waiting" ON "plan_charges" ("merchant_id", "asked_at") WHERE state IN ('QUEUED', 'SENDING');

-- A charge leaves at most once, and what is known of it stays known. An approval is settled by the plan's record alone.
CREATE FUNCTION plan_charges_guard() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'DELETE' THEN RAISE EXCEPTION 'a charge of a plan is never deleted' USING ERRCODE = 'MV021'; END IF;
  IF TG_OP = 'INSERT' THEN
    IF NEW.state <> 'QUEUED' OR NEW.sent_at IS NOT NULL THEN RAISE EXCEPTION 'a charge of a plan begins before it is sent' USING ERRCODE = 'MV021'; END IF;
    RETURN NEW;
  END IF;
  IF (NEW.id, NEW.merchant_id, NEW.plan_id, NEW.person_id, NEW.number, NEW.amount_minor, NEW.currency, NEW.asked_at)
     IS DISTINCT FROM (OLD.id, OLD.merchant_id, OLD.plan_id, OLD.person_id, OLD.number, OLD.amount_minor, OLD.currency, OLD.asked_at) THEN
    RAISE EXCEPTION 'what was asked for never changes' USING ERRCODE = 'MV022';
  END IF;
  IF NEW.state <> OLD.state AND (OLD.state, NEW.state) NOT IN (
    ('QUEUED', 'SENDING'), ('QUEUED', 'NOT_CHARGED'), ('SENDING', 'APPROVED'), ('SENDING', 'UNKNOWN'), ('SENDING', 'NOT_CHARGED'),
    ('APPROVED', 'CHARGED'), ('UNKNOWN', 'CHARGED'), ('UNKNOWN', 'NOT_CHARGED')) THEN
    RAISE EXCEPTION 'no step from % to %', OLD.state, NEW.state USING ERRCODE = 'MV023';
  END IF;
  IF NEW.sent_at IS DISTINCT FROM OLD.sent_at AND NOT (OLD.state = 'QUEUED' AND NEW.state = 'SENDING' AND OLD.sent_at IS NULL)
     OR NEW.state = 'SENDING' AND (NEW.sent_at IS NULL OR NEW.charges_before IS NULL) THEN
    RAISE EXCEPTION 'a charge of a plan is sent once, and the plan is read before' USING ERRCODE = 'MV024';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER plan_charges_guard BEFORE INSERT OR UPDATE OR DELETE ON "plan_charges" FOR EACH ROW EXECUTE FUNCTION plan_charges_guard();

DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['recurring_plans', 'plan_charges', 'card_customers'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)', t);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
  END LOOP;
END $$;

-- The web adds a plan, asks for a look and for a charge; what the gateway says of them, and what leaves, is the worker's.
GRANT INSERT, UPDATE ("last_hint_at", "next_at", "tries") ON "recurring_plans" TO dashboard_web;
GRANT INSERT, UPDATE ON "recurring_plans" TO dashboard_worker;
GRANT INSERT ON "plan_charges" TO dashboard_web;
GRANT UPDATE ON "plan_charges" TO dashboard_worker;
GRANT INSERT, UPDATE ("name", "cards", "read_at") ON "card_customers" TO dashboard_web;

-- Plans that the records of known payments have named so far.
INSERT INTO "recurring_plans" (merchant_id, plan_code, source, next_at)
SELECT DISTINCT merchant_id, plan_code, 'payment', CURRENT_TIMESTAMP FROM card_payments WHERE plan_code IS NOT NULL;
