-- A network is known through the device that signed in from it, and is unknown again with it. Of sessions from before this
-- nobody knows the device: their networks are strangers' until the next sign-in.
ALTER TABLE "sessions" ADD COLUMN "device_id" UUID;

ALTER TABLE "sessions" ADD CONSTRAINT "sessions_device_id_fkey" FOREIGN KEY ("device_id") REFERENCES "known_devices"("id") ON DELETE SET NULL ON UPDATE CASCADE;
