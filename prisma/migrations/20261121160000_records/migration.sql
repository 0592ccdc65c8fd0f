-- What the provider's two listings say, kept here: reports, day close, reconciliation, search and receipts read it, and no page of
-- theirs waits for a provider. The provider stays the truth: a day is read again until nothing in it can change any more.
CREATE TABLE "ledger_records" (
    "merchant_id" UUID NOT NULL,
    "id" TEXT NOT NULL,
    "type_id" INTEGER NOT NULL,
    "type" TEXT,
    "status_id" INTEGER NOT NULL,
    "status" TEXT,
    "result_code" TEXT,
    "direction" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "fee_minor" BIGINT NOT NULL,
    "total_minor" BIGINT,
    "received_minor" BIGINT,
    "receiver_fee_minor" BIGINT,
    "currency" TEXT NOT NULL,
    "ext_id" TEXT,
    "group_id" TEXT,
    "refers_to" TEXT,
    "from_wallet" TEXT,
    "to_wallet" TEXT,
    "from_account" TEXT,
    "to_account" TEXT,
    "description" TEXT,
    "from_description" TEXT,
    "to_description" TEXT,
    "receipt_number" TEXT,
    "channel" TEXT,
    "source" TEXT,
    "sender_name" TEXT,
    "sender_iban" TEXT,
    "top_up" JSONB,
    "posted" BOOLEAN NOT NULL DEFAULT false,
    "posted_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6),
    "completed_at" TIMESTAMPTZ(6),
    "raw" TEXT NOT NULL,
    "first_read_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "read_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ledger_records_pkey" PRIMARY KEY ("merchant_id","id")
);

-- CreateTable
CREATE TABLE "withdraw_records" (
    "merchant_id" UUID NOT NULL,
    "request_id" TEXT NOT NULL,
    "ext_id" TEXT,
    "correlation_id" TEXT,
    "wallet" TEXT,
    "account_type" TEXT,
    "account_number" TEXT,
    "level" TEXT NOT NULL,
    "amount_minor" BIGINT NOT NULL,
    "currency" TEXT NOT NULL,
    "iban" TEXT,
    "name" TEXT,
    "tax_number" TEXT,
    "to_owner" BOOLEAN NOT NULL DEFAULT false,
    "bank_name" TEXT,
    "description" TEXT,
    "reason" TEXT,
    "created_at" TIMESTAMPTZ(6) NOT NULL,
    "updated_at" TIMESTAMPTZ(6),
    "raw" TEXT NOT NULL,
    "first_read_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "read_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "withdraw_records_pkey" PRIMARY KEY ("merchant_id","request_id")
);

-- CreateTable
CREATE TABLE "record_days" (
    "merchant_id" UUID NOT NULL,
    "list" TEXT NOT NULL,
    "day" DATE NOT NULL,
    "read_at" TIMESTAMPTZ(6),
    "records" INTEGER NOT NULL DEFAULT 0,
    "problem" TEXT,
    "tries" INTEGER NOT NULL DEFAULT 0,
    "next_at" TIMESTAMPTZ(6),
    "lease_until" TIMESTAMPTZ(6),

    CONSTRAINT "record_days_pkey" PRIMARY KEY ("merchant_id","list","day")
);

-- CreateIndex
CREATE INDEX "ledger_records_merchant_id_created_at_id_idx" ON "ledger_records"("merchant_id", "created_at" DESC, "id");

-- CreateIndex
CREATE INDEX "ledger_records_merchant_id_amount_minor_id_idx" ON "ledger_records"("merchant_id", "amount_minor", "id");

-- CreateIndex
CREATE INDEX "ledger_records_merchant_id_from_wallet_created_at_idx" ON "ledger_records"("merchant_id", "from_wallet", "created_at" DESC);

-- CreateIndex
CREATE INDEX "ledger_records_merchant_id_to_wallet_created_at_idx" ON "ledger_records"("merchant_id", "to_wallet", "created_at" DESC);

-- CreateIndex
CREATE INDEX "ledger_records_merchant_id_ext_id_idx" ON "ledger_records"("merchant_id", "ext_id");

-- CreateIndex
CREATE INDEX "ledger_records_merchant_id_refers_to_idx" ON "ledger_records"("merchant_id", "refers_to");

-- CreateIndex
CREATE INDEX "withdraw_records_merchant_id_created_at_request_id_idx" ON "withdraw_records"("merchant_id", "created_at" DESC, "request_id");

-- CreateIndex
CREATE INDEX "withdraw_records_merchant_id_amount_minor_request_id_idx" ON "withdraw_records"("merchant_id", "amount_minor", "request_id");

-- CreateIndex
CREATE INDEX "withdraw_records_merchant_id_ext_id_idx" ON "withdraw_records"("merchant_id", "ext_id");

-- CreateIndex
CREATE INDEX "withdraw_records_merchant_id_iban_idx" ON "withdraw_records"("merchant_id", "iban");

-- What Prisma has no words for ------------------------------------------------------------------------------------

-- Days are the merchant's own: a line of 21:30 UTC is one of the next day in Istanbul.
ALTER TABLE "ledger_records"
  ADD CONSTRAINT "ledger_records_direction" CHECK (direction IN ('in', 'out')),
  ADD CONSTRAINT "ledger_records_amount" CHECK (amount_minor >= 0 AND fee_minor >= 0);
ALTER TABLE "record_days" ADD CONSTRAINT "record_days_list" CHECK (list IN ('ledger', 'withdrawals'));
CREATE INDEX "record_days_due" ON "record_days" ("merchant_id", "next_at") WHERE next_at IS NOT NULL;

-- What a person's words are compared with (lib/turkish.ts): columns, because row-level security lets no expression use an index.
ALTER TABLE "ledger_records" ADD COLUMN "text_fold" TEXT COLLATE "C"
  GENERATED ALWAYS AS (fold_for_search(coalesce(sender_name, '') || ' ' || coalesce(description, '') || ' ' || coalesce(to_description, ''))) STORED;
ALTER TABLE "withdraw_records" ADD COLUMN "name_fold" TEXT COLLATE "C" GENERATED ALWAYS AS (fold_for_search(name)) STORED;

DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['ledger_records', 'withdraw_records', 'record_days'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)', t);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
  END LOOP;
END $$;

-- Only the worker writes what the provider said; the web asks it to look.
GRANT INSERT, UPDATE ON "ledger_records", "withdraw_records" TO dashboard_worker;
GRANT INSERT, UPDATE ON "record_days" TO dashboard_worker;
GRANT INSERT, UPDATE ("next_at") ON "record_days" TO dashboard_web;
