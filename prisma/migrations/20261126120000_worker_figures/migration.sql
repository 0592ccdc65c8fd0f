-- What a worker alone knows (how late its queues are, what providers answered it, its disk) reaches the page of the installation's health
-- with its heartbeat. A worker of the version before writes none, and its row keeps the empty object.
ALTER TABLE "worker_heartbeats" ADD COLUMN "figures" JSONB NOT NULL DEFAULT '{}';
