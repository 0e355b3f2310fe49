# The program in an image: docker build -t aplomb . && docker run --rm -v "$PWD:/data" aplomb list
FROM debian:bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git make sudo && rm -rf /var/lib/apt/lists/*
COPY . /src
WORKDIR /src
RUN make build && cmake --install build --prefix /opt/aplomb && cmake --install build --prefix /opt/aplomb --component bundled

FROM debian:bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends libstdc++6 && rm -rf /var/lib/apt/lists/*
COPY --from=build /opt/aplomb /opt/aplomb
# The URDFs of the robots that are not ours.
COPY --from=build /src/.venv/lib/python3.11/site-packages/cmeel.prefix/share/example-robot-data \
  /opt/aplomb/share/aplomb/packages/cmeel.prefix/share/example-robot-data
ENV PATH=/opt/aplomb/bin:$PATH APLOMB_NO_CACHE=1
WORKDIR /data
ENTRYPOINT ["aplomb"]
