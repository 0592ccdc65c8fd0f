-- A hold that nobody takes is lost: who may act is told in time. One row a hold, a threshold and the people it is for; a mail of it is
-- sent at least once where mail is configured.
CREATE TABLE "card_reminders" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "payment_id" UUID NOT NULL,
    "hours" INTEGER NOT NULL,
    "audience" TEXT NOT NULL,
    "made_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "seen_by" UUID,
    "seen_at" TIMESTAMPTZ(6),
    "mail_next_at" TIMESTAMPTZ(6),
    "mail_tries" INTEGER NOT NULL DEFAULT 0,
    "mailed_at" TIMESTAMPTZ(6),

    CONSTRAINT "card_reminders_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "card_reminders_payment_id_audience_hours_key" ON "card_reminders"("payment_id", "audience", "hours");

-- AddForeignKey
ALTER TABLE "card_reminders" ADD CONSTRAINT "card_reminders_payment_id_fkey" FOREIGN KEY ("payment_id") REFERENCES "card_payments"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "card_reminders" ADD CONSTRAINT "card_reminders_seen_by_fkey" FOREIGN KEY ("seen_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "card_reminders"
  ADD CONSTRAINT "card_reminders_hours" CHECK (hours IN (72, 24, 4)),
  ADD CONSTRAINT "card_reminders_audience" CHECK (audience IN ('clerk', 'approver')),
  ADD CONSTRAINT "card_reminders_seen" CHECK ((seen_by IS NULL) = (seen_at IS NULL));
CREATE INDEX "card_reminders_open" ON "card_reminders" ("merchant_id", "audience") WHERE seen_at IS NULL;
CREATE INDEX "card_reminders_mail_due" ON "card_reminders" ("merchant_id", "mail_next_at") WHERE mail_next_at IS NOT NULL;

ALTER TABLE "card_reminders" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "card_reminders" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
-- The worker reminds; a person has seen it.
GRANT SELECT ON "card_reminders" TO dashboard_web, dashboard_worker;
GRANT UPDATE ("seen_by", "seen_at") ON "card_reminders" TO dashboard_web;
GRANT INSERT, UPDATE ("mail_next_at", "mail_tries", "mailed_at") ON "card_reminders" TO dashboard_worker;
