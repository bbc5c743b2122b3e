# The service as an image: no build step, so what runs is what stands in the repository.
FROM node:26.10.0-bookworm-slim AS build
WORKDIR /app
RUN chown 10001:10001 /app
# As the user that it will run as: the compile cache belongs to one user.
USER 10001:10001
ENV HOME=/tmp
COPY --chown=10001:10001 . .
# Node comes with the base image. A third of what is installed is read by compilers and debuggers alone.
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund \
 && find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.[cm]ts' \) -delete \
 && node --import ./src/app/compile-cache.mjs --max-semi-space-size=2 src/app/main.ts warm \
 && chmod -R a+rX node_modules/.cache

FROM node:26.10.0-bookworm-slim
# For packages and native scripts: bubblewrap isolates them (with deploy/seccomp.json), Python and npm install and run them. As Pods,
# they find Node under /opt.
RUN apt-get update \
 && apt-get install -y --no-install-recommends bubblewrap ca-certificates python3 python3-pip \
 && rm -rf /var/lib/apt/lists/* /usr/local/lib/node_modules/corepack \
 && install -d /opt/node/bin && ln -s /usr/local/bin/node /opt/node/bin/node \
 && install -d -o 10001 -g 10001 -m 0700 /data
# Root's, so that who runs it cannot change it.
COPY --from=build --chown=0:0 /app /app
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
USER 10001:10001
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "--import", "./src/app/compile-cache.mjs", "src/app/main.ts", "health"]
ENTRYPOINT ["node", "--import", "./src/app/compile-cache.mjs", "--max-semi-space-size=2", "src/app/main.ts"]
CMD ["serve"]
