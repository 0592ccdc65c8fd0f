-- The gateway has no list of payments: what this installation knows of, from notices and from numbers that people paste, each as the
-- gateway's own record last described it. No card number: four digits, to tell one card from another.
CREATE TABLE "card_payments" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "invoice_id" TEXT NOT NULL,
    "source" TEXT NOT NULL,
    "added_by" UUID,
    "state" TEXT,
    "problem" TEXT,
    "amount_minor" BIGINT,
    "charged_minor" BIGINT,
    "refunded_minor" BIGINT,
    "currency" TEXT NOT NULL DEFAULT 'TRY',
    "card" TEXT,
    "order_id" TEXT,
    "transaction_id" TEXT,
    "reason" TEXT,
    "settles_on" TEXT,
    "plan_code" TEXT,
    "refunds" JSONB NOT NULL DEFAULT '[]',
    "held_since" TIMESTAMPTZ(6),
    "held_seen" BOOLEAN NOT NULL DEFAULT false,
    "verified_at" TIMESTAMPTZ(6),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "last_hint_at" TIMESTAMPTZ(6),
    "next_at" TIMESTAMPTZ(6),
    "first_seen_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "card_payments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "card_testimonies" (
    "id" BIGSERIAL NOT NULL,
    "merchant_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "witness" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "detail" JSONB NOT NULL,
    "raw" TEXT,
    "at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "card_testimonies_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "card_payments_merchant_id_invoice_id_key" ON "card_payments"("merchant_id", "invoice_id");

-- CreateIndex
CREATE INDEX "card_payments_merchant_id_first_seen_at_id_idx" ON "card_payments"("merchant_id", "first_seen_at" DESC, "id");

-- CreateIndex
CREATE INDEX "card_payments_merchant_id_state_held_since_idx" ON "card_payments"("merchant_id", "state", "held_since");

-- CreateIndex
CREATE INDEX "card_payments_merchant_id_order_id_idx" ON "card_payments"("merchant_id", "order_id");

-- CreateIndex
CREATE INDEX "card_payments_merchant_id_amount_minor_idx" ON "card_payments"("merchant_id", "amount_minor");

-- CreateIndex
CREATE INDEX "card_testimonies_payment_id_id_idx" ON "card_testimonies"("payment_id", "id");

-- AddForeignKey
ALTER TABLE "card_payments" ADD CONSTRAINT "card_payments_added_by_fkey" FOREIGN KEY ("added_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_testimonies" ADD CONSTRAINT "card_testimonies_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "card_payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "card_payments"
  ADD CONSTRAINT "card_payments_source" CHECK (source IN ('notice', 'person')),
  ADD CONSTRAINT "card_payments_state" CHECK (state IN ('pending', 'held', 'maybe_captured', 'completed', 'captured', 'failed', 'cancelled', 'refunded', 'partly_refunded', 'charged_back')),
  ADD CONSTRAINT "card_payments_problem" CHECK (problem IN ('not_found', 'no_answer', 'mismatch', 'contradiction')),
  -- Four digits at most, whatever a provider writes.
  ADD CONSTRAINT "card_payments_card" CHECK (card ~ '^[0-9]{4}$'),
  ADD CONSTRAINT "card_payments_amounts" CHECK (amount_minor > 0 AND charged_minor >= 0 AND refunded_minor >= 0);
CREATE INDEX "card_payments_due" ON "card_payments" ("merchant_id", "next_at") WHERE next_at IS NOT NULL;

DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['card_payments', 'card_testimonies'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)', t);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
  END LOOP;
END $$;

-- The web adds a payment, says when it was held and asks for a look; what the gateway says of it only the worker writes.
GRANT INSERT, UPDATE ("held_since", "last_hint_at", "next_at", "tries") ON "card_payments" TO dashboard_web;
GRANT UPDATE ON "card_payments" TO dashboard_worker;
GRANT INSERT ON "card_testimonies" TO dashboard_web, dashboard_worker;
GRANT USAGE ON SEQUENCE "card_testimonies_id_seq" TO dashboard_web, dashboard_worker;
