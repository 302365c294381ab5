# The workspace in an image: its set-up is that of ./run, so there is one way to set up.
#   docker build -t mujoco_noetic_systems .
#   docker build -t mujoco_noetic_systems --build-arg BASE_IMAGE=debian:bookworm-slim .
# Other bases that work: debian:trixie-slim. No ROS apt source is used on any of them.
ARG BASE_IMAGE=ros:noetic-robot-focal
FROM ${BASE_IMAGE}

ENV LANG=C.UTF-8 LC_ALL=C.UTF-8 ROS_HOSTNAME=localhost

# The key of ROS's apt entry in older images has expired, and nothing is needed from it.
RUN rm -f /etc/apt/sources.list.d/ros*.list /etc/apt/sources.list.d/ros*.sources \
    && useradd --create-home --shell /bin/bash --uid 1000 robot \
    && mkdir /workspace && chown robot:robot /workspace
WORKDIR /workspace

# System packages and the virtual environment; nobody but root changes them
COPY run requirements.txt ./
RUN ./run venv && rm -rf /var/lib/apt/lists/* /root/.cache

USER robot
COPY --chown=robot:robot . ./
RUN ./run setup

CMD ["./run", "demo"]
