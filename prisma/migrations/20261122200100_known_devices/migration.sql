-- Browsers that a person has signed in with: strangers who guess passwords cannot use up their share of the limits.
CREATE TABLE "known_devices" (
    "id" UUID NOT NULL,
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "last_used_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "revoked_at" TIMESTAMPTZ(6),

    CONSTRAINT "known_devices_pkey" PRIMARY KEY ("id")
);

CREATE INDEX "known_devices_merchant_id_person_id_idx" ON "known_devices"("merchant_id", "person_id");

ALTER TABLE "known_devices" ADD CONSTRAINT "known_devices_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

ALTER TABLE "known_devices" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "known_devices" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ("last_used_at", "revoked_at") ON "known_devices" TO dashboard_web;
GRANT SELECT, DELETE ON "known_devices" TO dashboard_worker;
CREATE POLICY kept_180_days ON "known_devices" AS RESTRICTIVE FOR DELETE TO dashboard_worker
  USING (last_used_at < clock_timestamp() - interval '180 days');
