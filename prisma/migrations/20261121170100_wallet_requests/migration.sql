-- A wallet that was asked for. The provider's call takes no reference of ours, so the row comes first: from then on there may be a
-- wallet or none, until an answer or the provider's list says which.
CREATE TABLE "wallet_requests" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "fast_iban" BOOLEAN NOT NULL,
    "numbers_before" TEXT[],
    "state" TEXT NOT NULL DEFAULT 'UNCLEAR',
    "number" TEXT,
    "reason" TEXT,
    "code" TEXT,
    "message" TEXT,
    "asked_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "answered_at" TIMESTAMPTZ(6),

    CONSTRAINT "wallet_requests_pkey" PRIMARY KEY ("id")
);

-- AddForeignKey
ALTER TABLE "wallet_requests" ADD CONSTRAINT "wallet_requests_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- What Prisma has no words for ------------------------------------------------------------------------------------

ALTER TABLE "wallet_requests"
  ADD CONSTRAINT "wallet_requests_state" CHECK (state IN ('UNCLEAR', 'CREATED', 'REFUSED', 'NOT_SENT', 'NOT_MADE')),
  ADD CONSTRAINT "wallet_requests_number" CHECK ((state = 'CREATED') = (number IS NOT NULL));
-- While it is not known what became of one, no other is asked for.
CREATE UNIQUE INDEX "wallet_requests_open" ON "wallet_requests" ("merchant_id") WHERE state = 'UNCLEAR';

ALTER TABLE "wallet_requests" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "wallet_requests" TO dashboard_web, dashboard_worker
  USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
-- What is known once stays known.
CREATE POLICY only_unclear ON "wallet_requests" AS RESTRICTIVE FOR UPDATE TO dashboard_web USING (state = 'UNCLEAR') WITH CHECK (true);
GRANT SELECT ON "wallet_requests" TO dashboard_web, dashboard_worker;
GRANT INSERT, UPDATE ("state", "number", "reason", "code", "message", "answered_at") ON "wallet_requests" TO dashboard_web;
