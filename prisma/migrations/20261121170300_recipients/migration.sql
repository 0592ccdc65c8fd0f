-- Who is paid: a name and a tax number with the accounts that belong to them. Saved by itself when something is paid, edited by
-- people. What was paid and when is never kept here: that is read from the movements.
CREATE TABLE "recipients" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "tax_number" TEXT NOT NULL DEFAULT '',
    "used_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "archived_at" TIMESTAMPTZ(6),
    "archived_by" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "recipients_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "recipient_payees" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "recipient_id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "changed_at" TIMESTAMPTZ(6),
    "changed_by" UUID,
    "replaces" TEXT,
    "archived_at" TIMESTAMPTZ(6),
    "archived_by" UUID,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "recipient_payees_pkey" PRIMARY KEY ("id")
);

-- What Prisma has no words for ------------------------------------------------------------------------------------

-- What people search by and what a list is sorted by, as in movements.
ALTER TABLE "recipients"
  ADD COLUMN "name_fold" TEXT COLLATE "C" GENERATED ALWAYS AS (fold_for_search(name)) STORED,
  ADD COLUMN "name_sort" TEXT COLLATE "C" GENERATED ALWAYS AS (turkish_sort_key(name)) STORED;

-- An IBAN, or the number of a wallet: neither can be taken for the other.
ALTER TABLE "recipient_payees"
  ADD CONSTRAINT "recipient_payees_number" CHECK (number ~ '^(TR[0-9A-Z]{24}|[0-9]{4,20})$'),
  ADD CONSTRAINT "recipient_payees_replaces" CHECK (replaces <> number AND (replaces IS NULL OR changed_at IS NOT NULL)),
  ADD CONSTRAINT "recipient_payees_changed" CHECK ((changed_at IS NULL) = (changed_by IS NULL));

-- CreateIndex
CREATE UNIQUE INDEX "recipients_merchant_id_name_fold_tax_number_key" ON "recipients"("merchant_id", "name_fold", "tax_number");

-- CreateIndex
CREATE INDEX "recipients_merchant_id_name_sort_id_idx" ON "recipients"("merchant_id", "name_sort", "id");

-- CreateIndex
CREATE INDEX "recipients_merchant_id_used_at_id_idx" ON "recipients"("merchant_id", "used_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "recipient_payees_merchant_id_number_key" ON "recipient_payees"("merchant_id", "number");

-- CreateIndex
CREATE INDEX "recipient_payees_recipient_id_idx" ON "recipient_payees"("recipient_id");

-- CreateIndex
CREATE INDEX "recipient_payees_merchant_id_replaces_idx" ON "recipient_payees"("merchant_id", "replaces");

-- AddForeignKey
ALTER TABLE "recipients" ADD CONSTRAINT "recipients_archived_by_fkey" FOREIGN KEY ("archived_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recipient_payees" ADD CONSTRAINT "recipient_payees_recipient_id_fkey" FOREIGN KEY ("recipient_id") REFERENCES "recipients"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recipient_payees" ADD CONSTRAINT "recipient_payees_changed_by_fkey" FOREIGN KEY ("changed_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "recipient_payees" ADD CONSTRAINT "recipient_payees_archived_by_fkey" FOREIGN KEY ("archived_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Everybody who was paid so far. An IBAN that was paid under two names is the latest one's.
WITH latest AS (
  SELECT DISTINCT ON (merchant_id, iban) merchant_id, iban, name, tax_number, name_fold, created_at
  FROM movements WHERE rail = 'payout' AND iban ~ '^TR[0-9A-Z]{24}$' ORDER BY merchant_id, iban, created_at DESC
), made AS (
  INSERT INTO recipients (merchant_id, name, tax_number, used_at, created_at)
    SELECT DISTINCT ON (merchant_id, name_fold, tax_number) merchant_id, name, tax_number, created_at, created_at
    FROM latest ORDER BY merchant_id, name_fold, tax_number, created_at DESC
  RETURNING id, merchant_id, name_fold, tax_number
)
INSERT INTO recipient_payees (merchant_id, recipient_id, number, created_at)
  SELECT l.merchant_id, made.id, l.iban, l.created_at FROM latest l JOIN made USING (merchant_id, name_fold, tax_number);

DO $$
DECLARE t TEXT;
BEGIN
  FOREACH t IN ARRAY ARRAY['recipients', 'recipient_payees'] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', t);
    EXECUTE format('CREATE POLICY one_merchant ON %I TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting(''app.merchant_id'', true), '''')::uuid)', t);
    EXECUTE format('GRANT SELECT ON %I TO dashboard_web, dashboard_worker', t);
  END LOOP;
END $$;

-- Nothing is ever deleted, and an account never becomes another one: a changed IBAN is a new row beside the old one.
GRANT INSERT, UPDATE ("name", "tax_number", "used_at", "archived_at", "archived_by") ON "recipients" TO dashboard_web;
GRANT INSERT, UPDATE ("changed_at", "changed_by", "replaces", "archived_at", "archived_by") ON "recipient_payees" TO dashboard_web;
