-- The browsers that a person has allowed to show notifications. The endpoint and the keys are the browser's own; only
-- who holds the private half of "identity" may use them.
CREATE TABLE "push_devices" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "merchant_id" UUID NOT NULL,
    "person_id" UUID NOT NULL,
    "endpoint" TEXT NOT NULL,
    "p256dh" TEXT NOT NULL,
    "auth" TEXT NOT NULL,
    "identity" TEXT NOT NULL,
    "locale" TEXT NOT NULL,
    "agent" TEXT,
    "added_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "push_devices_pkey" PRIMARY KEY ("id")
);

CREATE UNIQUE INDEX "push_devices_endpoint_key" ON "push_devices"("endpoint");
CREATE INDEX "push_devices_merchant_id_person_id_idx" ON "push_devices"("merchant_id", "person_id");

ALTER TABLE "push_devices" ADD CONSTRAINT "push_devices_person_id_fkey" FOREIGN KEY ("person_id") REFERENCES "people"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- One notification on one device: sent at most once. "due_at" is null from the moment at which a worker takes it.
CREATE TABLE "push_sends" (
    "merchant_id" UUID NOT NULL,
    "notification_id" UUID NOT NULL,
    "device_id" UUID NOT NULL,
    "due_at" TIMESTAMPTZ(6),
    "tries" INTEGER NOT NULL DEFAULT 0,
    "begun_at" TIMESTAMPTZ(6),
    "sent_at" TIMESTAMPTZ(6),

    CONSTRAINT "push_sends_pkey" PRIMARY KEY ("notification_id","device_id")
);

ALTER TABLE "push_sends" ADD CONSTRAINT "push_sends_notification_id_fkey" FOREIGN KEY ("notification_id") REFERENCES "notifications"("id") ON DELETE CASCADE ON UPDATE CASCADE;
ALTER TABLE "push_sends" ADD CONSTRAINT "push_sends_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "push_devices"("id") ON DELETE CASCADE ON UPDATE CASCADE;

ALTER TABLE "notifications" ADD COLUMN "push_due_at" TIMESTAMPTZ(6);
ALTER TABLE "notification_choices" ADD COLUMN "push" BOOLEAN NOT NULL DEFAULT true;

-- What Prisma has no words for --------------------------------------------------------------------------------------

ALTER TABLE "push_devices"
  ADD CONSTRAINT "push_devices_endpoint" CHECK (length(endpoint) BETWEEN 10 AND 1000),
  ADD CONSTRAINT "push_devices_keys" CHECK (length(p256dh) BETWEEN 80 AND 100 AND length(auth) BETWEEN 20 AND 40 AND length(identity) BETWEEN 80 AND 100),
  ADD CONSTRAINT "push_devices_locale" CHECK (length(locale) BETWEEN 2 AND 10),
  ADD CONSTRAINT "push_devices_agent" CHECK (length(agent) <= 400);

CREATE INDEX "notifications_push_due" ON "notifications" ("merchant_id", "push_due_at") WHERE push_due_at IS NOT NULL;
CREATE INDEX "push_sends_due" ON "push_sends" ("merchant_id", "due_at") WHERE due_at IS NOT NULL;
CREATE INDEX "push_sends_device" ON "push_sends" ("device_id");

ALTER TABLE "push_devices" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "push_devices" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT, INSERT, DELETE ON "push_devices" TO dashboard_web;
GRANT SELECT, DELETE ON "push_devices" TO dashboard_worker;

ALTER TABLE "push_sends" ENABLE ROW LEVEL SECURITY;
CREATE POLICY one_merchant ON "push_sends" TO dashboard_web, dashboard_worker USING (merchant_id = nullif(current_setting('app.merchant_id', true), '')::uuid);
GRANT SELECT, INSERT, UPDATE ("due_at", "tries", "begun_at", "sent_at"), DELETE ON "push_sends" TO dashboard_worker;

GRANT UPDATE ("push_due_at") ON "notifications" TO dashboard_worker;
GRANT UPDATE ("push") ON "notification_choices" TO dashboard_web;
