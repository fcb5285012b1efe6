"""Addresses of Redis, with Sentinels too: the master that they name is followed when it dies."""

import subprocess

import pytest
from redis import Redis, RedisError
from rq import Queue, SimpleWorker

from ops.runtime.binaries import redis_program
from ops.runtime.identity import Identity
from ops.runtime.ports import free_port
from projections.base.redis_client import BadRedisUrl, redis_client
from tests.waiting import until


@pytest.mark.parametrize(
    "url",
    [
        "redis+sentinel:///main",
        "redis+sentinel://one:26379",
        "redis+sentinel://one:26379/main/zero",
        "redis+sentinel://one:port/main",
        "redis+sentinel://one,,two/main",
    ],
)
def test_an_address_that_is_none(url):
    """It is refused with a sentence before anything connects."""
    with pytest.raises(BadRedisUrl):
        redis_client(url)


@pytest.mark.parametrize(
    ("url", "sentinels", "settings"),
    [
        (
            "redis+sentinel://ann:s%40fe@one:1,two,[::1]:3/main/2?sentinel_password=other",
            [("one", 1), ("two", 26379), ("::1", 3)],
            {"username": "ann", "password": "s@fe", "db": 2},
        ),
        (
            "rediss+sentinel://one/main?ssl_ca_certs=/ca.pem",
            [("one", 26379)],
            {"ssl_ca_certs": "/ca.pem", "db": 0},
        ),
    ],
)
def test_an_address_of_sentinels(url, sentinels, settings):
    """Every part arrives where it belongs."""
    pool = redis_client(url, socket_timeout=3).connection_pool
    asked = [one.connection_pool.connection_kwargs for one in pool.sentinel_manager.sentinels]
    assert [(one["host"], one["port"]) for one in asked] == sentinels
    assert pool.service_name == "main"
    assert settings.items() <= pool.connection_kwargs.items()
    assert asked[0].get("password") == ("other" if "other" in url else None)
    assert asked[0]["socket_timeout"] == pool.connection_kwargs["socket_timeout"] == 3


@pytest.mark.parametrize("url", ["redis://one:7/2", "rediss://one:7/2?ssl_ca_certs=/ca.pem"])
def test_an_address_of_one_server(url):
    """As ever."""
    assert redis_client(url).connection_pool.connection_kwargs["port"] == 7


class Kin:
    """A master, its replica and a Sentinel."""

    def __init__(self, folder):
        self._program, self._folder = redis_program(Identity()), folder
        self.ports = {name: free_port() for name in ("master", "replica", "sentinel")}
        self._running = {}
        self._start("master")
        self._start("replica", f"replicaof 127.0.0.1 {self.ports['master']}")
        until(lambda: self.replicas() == 1, "the replica follows")
        watched = f"sentinel monitor main 127.0.0.1 {self.ports['master']} 1"
        quick = "sentinel down-after-milliseconds main 500\nsentinel failover-timeout main 3000"
        self._start("sentinel", f"{watched}\n{quick}", "--sentinel")
        until(lambda: len(self.client("sentinel").sentinel_slaves("main")) == 1, "the Sentinel knows both")

    def _start(self, name, more="", *words):
        path = self._folder / f"{name}.conf"
        path.write_text(
            f"port {self.ports[name]}\nbind 127.0.0.1\ndir {self._folder}\nlogfile {name}.log\n{more}\n"
        )
        self._running[name] = subprocess.Popen([self._program, path, *words])
        until(lambda: self.answers(name), f"the {name} answers")

    def client(self, name):
        return Redis(port=self.ports[name], socket_timeout=2)

    def answers(self, name):
        try:
            return self.client(name).ping()
        except RedisError:
            return False

    def replicas(self):
        return self.client("master").info("replication")["connected_slaves"]

    def kill(self, *names):
        for name in names:
            self._running[name].kill()
            self._running[name].wait()


@pytest.fixture
def kin(tmp_path):
    family = Kin(tmp_path)
    yield family
    family.kill("master", "replica", "sentinel")


def work_done(client, number):
    """Whether a job that is given now is done now; False while there is no master."""
    try:
        job = Queue("deeds", connection=client).enqueue(divmod, number, 10)
        SimpleWorker(["deeds"], connection=client).work(burst=True, logging_level="ERROR")
        return tuple(job.return_value()) == divmod(number, 10)
    except RedisError:
        return False


@pytest.mark.integration
def test_the_master_dies(kin):
    """Hints and jobs go to whom the Sentinel made the new one, by the same client."""
    client = redis_client(f"redis+sentinel://127.0.0.1:{kin.ports['sentinel']}/main", socket_timeout=2)
    assert work_done(client, 47)
    assert client.info("replication")["role"] == "master"
    kin.kill("master")
    until(lambda: work_done(client, 11), "the new master works")
    assert kin.client("replica").info("replication")["role"] == "master"
