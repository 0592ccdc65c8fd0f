-- The list of first steps that a merchant's owner has put away. Without a row it is shown until all
-- steps are done; taking it back deletes the row.
CREATE TABLE "onboarding_dismissals" (
    "merchant_id" UUID NOT NULL,
    "dismissed_by" UUID NOT NULL,
    "dismissed_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "onboarding_dismissals_pkey" PRIMARY KEY ("merchant_id")
);

ALTER TABLE "onboarding_dismissals" ADD CONSTRAINT "onboarding_dismissals_dismissed_by_fkey" FOREIGN KEY ("dismissed_by") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "onboarding_dismissals" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "onboarding_dismissals" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON "onboarding_dismissals" TO dashboard_web;
GRANT SELECT ON "onboarding_dismissals" TO dashboard_worker;
