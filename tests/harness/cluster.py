"""A real cluster on loopback, three masters with a replica each, that the harness uses like one server."""

from __future__ import annotations

import random
import socket

import redis
from servers import Server, wait_until

MASTERS, SLOTS = 3, 16384


class Cluster:
    """Started by the plain commands that an operator would give; stopped by its nodes' own process handles."""

    scheme = "redis-cluster"

    def __init__(self, binary: str) -> None:
        self.nodes: list[Server] = []
        try:
            for port in free_ports(2 * MASTERS):
                self.nodes.append(Server(binary, port, *OPTIONS))
            self._join()
        except BaseException:
            self.stop()
            raise
        first = self.nodes[0]
        self.redis = redis.RedisCluster(host="127.0.0.1", port=first.port, decode_responses=False)

    def _join(self) -> None:
        for i, node in enumerate(self.nodes):
            node.redis.execute_command("CLUSTER", "SET-CONFIG-EPOCH", i + 1)
            if i < MASTERS:
                node.redis.execute_command("CLUSTER", "ADDSLOTS", *range(SLOTS * i // 3, SLOTS * (i + 1) // 3))
            self.nodes[0].redis.execute_command("CLUSTER", "MEET", "127.0.0.1", node.port)
        wait_until(lambda: all(map(self._has_met_all, self.nodes)), "the nodes have met")
        for master, replica in zip(self.nodes[:MASTERS], self.nodes[MASTERS:]):
            replica.redis.execute_command("CLUSTER", "REPLICATE", master.redis.execute_command("CLUSTER MYID"))
        wait_until(lambda: all(map(self._is_ready, self.nodes)), "the cluster is ready")

    def _has_met_all(self, node: Server) -> bool:
        known = node.redis.execute_command("CLUSTER NODES").values()
        return len(known) == len(self.nodes) and not any("handshake" in each["flags"] for each in known)

    def _is_ready(self, node: Server) -> bool:
        state = node.redis.execute_command("CLUSTER INFO")["cluster_state"]
        link = node.redis.info("replication").get("master_link_status", "up")
        known = node.redis.execute_command("CLUSTER NODES").values()
        replicas = [each for each in known if "slave" in each["flags"]]
        return state == "ok" and link == "up" and len(replicas) == len(self.nodes) - MASTERS

    @property
    def hosts(self) -> str:
        """Some of the nodes, as a URL names them: two masters and a replica of the third."""
        return ",".join(f"127.0.0.1:{self.nodes[i].port}" for i in (0, 1, 5))

    @property
    def url(self) -> str:
        return f"{self.scheme}://{self.hosts}"

    def command(self, *command):
        """To the owner of its key; what concerns users and scripts to every node."""
        if command[0] in ("ACL", "SCRIPT"):
            return [node.command(*command) for node in self.nodes]
        return self.redis.execute_command(*command)

    def now_ms(self) -> int:
        """The nodes share this machine's clock."""
        return self.nodes[0].now_ms()

    def stop(self) -> None:
        if hasattr(self, "redis"):
            self.redis.close()
        for node in self.nodes:
            node.stop()


OPTIONS = [
    *("--cluster-enabled", "yes"),
    *("--cluster-node-timeout", "2000"),
    *("--repl-diskless-sync-delay", "0"),
    *("--repl-ping-replica-period", "1"),
]


def free_ports(count: int) -> list[int]:
    """Ports that are free together with the bus port of their node, 10000 above."""
    held, ports = [], []
    port = random.randrange(22000, 32000)
    while len(ports) < count:
        port = 22000 if port >= 32000 else port + 1
        pair = socket.socket(), socket.socket()
        held.extend(pair)
        try:
            pair[0].bind(("127.0.0.1", port))
            pair[1].bind(("127.0.0.1", port + 10000))
        except OSError:
            continue
        ports.append(port)
    for each in held:
        each.close()
    return ports
