# Any Debian image with Node 20.19, 22.12 or newer and npm. Node 20 gets no security fixes.
ARG NODE_IMAGE=docker.io/library/node:24-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /build
# A change of the sources alone downloads no packages.
COPY scripts/bootstrap scripts/bootstrap
COPY pnpm-lock.yaml pnpm-workspace.yaml ./
RUN npm ci --prefix scripts/bootstrap && scripts/bootstrap/node_modules/.bin/pnpm fetch
COPY . .
RUN npm run package -- /app

FROM ${NODE_IMAGE}
ARG VERSION=unknown
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Petstore" \
      org.opencontainers.image.description="The animals of a pet shop: an HTTP API, an admin and a built-in PostgreSQL" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# The name matters: initdb does not run as a user without an entry in /etc/passwd.
RUN groupadd --gid 10001 petstore \
 && useradd --uid 10001 --gid petstore --no-create-home --home-dir /app --shell /usr/sbin/nologin petstore \
 && install -d -m 0700 -o petstore -g petstore /data
COPY --from=build /app /app
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/data
WORKDIR /app
USER petstore
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
# Liveness, not readiness: a restart of the container does not repair an unavailable database.
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "apps/api/dist/main.js"]
