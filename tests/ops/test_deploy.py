"""What deploys the service beyond one machine: it is rendered, checked, and its commands are run."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tomllib
import urllib.error
import urllib.request
from contextlib import ExitStack
from pathlib import Path

import kubernetes_validate
import psycopg
import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from psycopg import sql
from rq import Queue

from ops.cli import rutter
from ops.runtime.ports import free_port
from projections.health import process_registry
from projections.health.process_registry import WORKERS
from tests.installation import PYTHON
from tests.servers import reachable_folder
from tests.tools import need
from tests.waiting import PATIENCE, until
from workers.job_queues import ODDS
from workers.probe import is_dispatcher_alive

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "ops" / "deploy"
TARGETS = ("base", "overlays/keda", "overlays/cloudnative-pg", "overlays/archive")
OTHERS = {
    ("keda.sh/v1alpha1", "ScaledObject"),
    ("keda.sh/v1alpha1", "TriggerAuthentication"),
    ("postgresql.cnpg.io/v1", "Cluster"),
    ("postgresql.cnpg.io/v1", "Pooler"),
}
"""Kinds that operators bring; there is no schema of theirs here."""
COMMANDS = [
    ["ops", "migrate", "--data", "/tmp/rutter"],  # noqa: S108 - in the container
    ["workers", "dispatcher"],
    *(["workers", "work", duty] for duty in WORKERS),
]
ARCHIVE = ["ops", "archive", "--older-than", "30", "--to", "/archive", "--data", "/tmp/rutter"]  # noqa: S108
KEY = "5e" * 32


@pytest.fixture(scope="module")
def rendered():
    """The objects of each folder, by its name."""
    kubectl = need("kubectl")
    found = {}
    for target in TARGETS:
        told = subprocess.run(
            [kubectl, "kustomize", DEPLOY / "kustomize" / target], capture_output=True, text=True, check=False
        )
        assert told.returncode == 0, told.stderr
        found[target] = list(yaml.safe_load_all(told.stdout))
    return found


def of_kind(objects, *kinds):
    return [one for one in objects if one["kind"] in kinds]


def templates(objects):
    """What pods are made of."""
    jobs = [one["spec"]["jobTemplate"] for one in of_kind(objects, "CronJob")]
    return [one["spec"]["template"] for one in [*of_kind(objects, "Deployment", "Job"), *jobs]]


def containers(objects):
    return [one for template in templates(objects) for one in template["spec"]["containers"]]


def names_below(value, key):
    """The names that stand under *key*, at any depth."""
    if isinstance(value, list):
        return {name for one in value for name in names_below(one, key)}
    if not isinstance(value, dict):
        return set()
    own = {value[key]["name"]} if key in value else set()
    return own | {name for one in value.values() for name in names_below(one, key)}


@pytest.mark.parametrize("target", TARGETS)
def test_every_object_is_as_its_schema_has_it(rendered, target):
    """No member unknown, none missing; only operators' own kinds are not looked into."""
    unknown = set()
    for one in rendered[target]:
        try:
            kubernetes_validate.validate(one, "1.34", strict=True)
        except kubernetes_validate.SchemaNotFoundError:
            unknown.add((one["apiVersion"], one["kind"]))
    assert unknown <= OTHERS


def test_a_wrong_member_is_found(rendered):
    """What the check above rests on."""
    wrong = of_kind(rendered["base"], "Deployment")[0]
    wrong = {**wrong, "spec": {**wrong["spec"], "replicaCount": 2}}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, "1.34", strict=True)


@pytest.mark.parametrize("target", TARGETS)
def test_objects_lead_to_objects(rendered, target):
    """Autoscalers to deployments, selectors to pods, settings to their maps."""
    objects = rendered[target]
    deployments = {one["metadata"]["name"]: one for one in of_kind(objects, "Deployment")}
    scaled = {
        one["spec"]["scaleTargetRef"]["name"]
        for one in of_kind(objects, "HorizontalPodAutoscaler", "ScaledObject")
    }
    assert scaled <= set(deployments)
    assert {name for name in scaled if "replicas" in deployments[name]["spec"]} == set()
    pods = [one["metadata"]["labels"] for one in templates(objects)]
    selectors = [one["spec"]["selector"] for one in of_kind(objects, "Service")]
    selectors += [one["spec"]["selector"]["matchLabels"] for one in of_kind(objects, "PodDisruptionBudget")]
    selectors += [one["spec"]["podSelector"]["matchLabels"] for one in of_kind(objects, "NetworkPolicy")]
    assert len(selectors) >= 6
    for wanted in selectors:
        assert any(wanted.items() <= labels.items() for labels in pods), wanted
    maps = {one["metadata"]["name"] for one in of_kind(objects, "ConfigMap")}
    assert names_below(objects, "configMapRef") == maps
    claimed = {
        volume["persistentVolumeClaim"]["claimName"]
        for one in templates(objects)
        for volume in one["spec"]["volumes"]
        if "persistentVolumeClaim" in volume
    }
    assert claimed == {one["metadata"]["name"] for one in of_kind(objects, "PersistentVolumeClaim")}
    assert len({one["image"] for one in containers(objects)}) == 1


@pytest.mark.parametrize("target", TARGETS)
def test_the_secrets_that_must_be_there_are_told(rendered, target):
    """With each of their keys, by the page that says how to deploy."""
    page = (DEPLOY / "README.md").read_text(encoding="utf-8")
    text = yaml.safe_dump(rendered[target])
    asked = set(re.findall(r"key: ([a-z-]+)\n +name: (rutter-[a-z-]+)\n", text))
    assert asked >= {("url", "rutter-database"), ("url", "rutter-redis"), ("key", "rutter-signing-key")}
    for key, name in asked:
        row = next(line for line in page.splitlines() if line.startswith(f"| `{name}`"))
        assert f"`{key}`" in row


@pytest.mark.parametrize("target", TARGETS)
def test_containers_run_what_there_is_and_as_nobody(rendered, target):
    """A command of ours; no root, no capability, nothing writable but a folder of its own."""
    found = containers(rendered[target])
    assert len(found) == 3 + len(WORKERS) + (target == "overlays/archive")
    for one in found:
        assert one.get("args", COMMANDS[0]) in [*COMMANDS, ARCHIVE]
        assert one["securityContext"]["readOnlyRootFilesystem"]
        assert one["securityContext"]["capabilities"] == {"drop": ["ALL"]}
    for template in templates(rendered[target]):
        assert template["spec"]["securityContext"]["runAsNonRoot"]


def test_bundles_are_written_by_one_and_read_by_all(rendered):
    """Each night, by one at a time, under the path by which others find them; elsewhere there are none."""
    objects = rendered["overlays/archive"]
    (nightly,) = of_kind(objects, "CronJob")
    assert nightly["spec"]["concurrencyPolicy"] == "Forbid"
    found = {one["name"]: one for one in containers(objects)}
    (writer,) = [one for one in found.values() if one.get("args") == ARCHIVE]
    mounted = {
        name: mount
        for name, one in found.items()
        for mount in one["volumeMounts"]
        if mount["name"] == "archive"
    }
    assert set(mounted) == {*found} - {"migrate"}
    assert {mount["mountPath"] for mount in mounted.values()} == {"/archive"}
    assert [name for name, mount in mounted.items() if not mount.get("readOnly")] == [writer["name"]]
    assert of_kind(rendered["base"], "CronJob", "PersistentVolumeClaim") == []


def test_the_archives_command_is_one():
    """Of the program: each of its options."""
    command = rutter.get_command(None, ARCHIVE[1])
    given = command.make_context("archive", ARCHIVE[2:]).params
    assert (given["days"], given["target"], given["before"]) == (30, "/archive", None)


def settings_of_the_program():
    """The names of variables that our sources read."""
    sources = (
        path.read_text(encoding="utf-8")
        for name in ("events", "projections", "service", "workers", "ops")
        for path in (ROOT / name).rglob("*.py")
    )
    return set(re.findall(r'"([A-Z][A-Z_]+)"', "\n".join(sources)))


def test_settings_have_names_that_the_program_knows(rendered):
    """In the maps and in the containers, of Kubernetes as of compose."""
    known = settings_of_the_program()
    for objects in rendered.values():
        for one in of_kind(objects, "ConfigMap"):
            assert set(one["data"]) <= known
        for one in containers(objects):
            assert {variable["name"] for variable in one["env"]} <= known
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    ours = [one for one in compose["services"].values() if one["image"] == "rutter"]
    assert len(ours) == 4 + len(WORKERS)
    for one in ours:
        assert set(one["environment"]) <= known


def test_compose_is_complete():
    """Commands are ours, what is waited for is there, and each variable stands in the example."""
    text = (DEPLOY / "compose.yaml").read_text(encoding="utf-8")
    compose = yaml.safe_load(text)
    example = set(re.findall(r"^([A-Z_]+)=", (DEPLOY / "example.env").read_text(), re.MULTILINE))
    assert set(re.findall(r"\$\{([A-Z_]+)", text)) == example
    for name, one in compose["services"].items():
        assert set(one.get("depends_on", ())) <= set(compose["services"])
        if one["image"] == "rutter" and name != "api":
            assert one["command"] in ([ARCHIVE] if name == "archive" else COMMANDS)
        for volume in one.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in compose["volumes"] or (DEPLOY / source).exists()
    assert {name for name, one in compose["services"].items() if one["image"] == "rutter"} == {
        "migrate", "api", "dispatcher", "archive", *WORKERS,
    }  # fmt: skip
    assert [name for name, one in compose["services"].items() if "profiles" in one] == ["archive"]
    places = {
        name: [volume for volume in one["volumes"] if volume.startswith("archive:")]
        for name, one in compose["services"].items()
        if one["image"] == "rutter"
    }
    assert {name: place for name, place in places.items() if place != ["archive:/archive:ro"]} == {
        "archive": ["archive:/archive"]
    }


def test_compose_takes_any_setting():
    """The number of proxies from `.env`, others from a file of its own; neither gets into the image."""
    compose = yaml.safe_load((DEPLOY / "compose.yaml").read_text(encoding="utf-8"))
    for one in compose["services"].values():
        if one["image"] == "rutter":
            assert one["environment"]["RUTTER_TRUSTED_PROXIES"] == "${RUTTER_TRUSTED_PROXIES:-0}"
            assert one["env_file"] == [{"path": "settings.env", "required": False}]
    example = (DEPLOY / "example.env").read_text(encoding="utf-8")
    assert re.search(r"^RUTTER_TRUSTED_PROXIES=0$", example, re.MULTILINE), (
        "no proxy stands before the API yet"
    )
    assert "`RUTTER_TRUSTED_PROXIES=1`" in (DEPLOY / "README.md").read_text(encoding="utf-8")
    for file in (".dockerignore", ".gitignore"):
        left_out = {line.removeprefix("/") for line in (ROOT / file).read_text().splitlines()}
        assert left_out >= {"ops/deploy/.env", "ops/deploy/settings.env"}


def test_the_container_holds_the_locked_libraries_and_no_others():
    """Those of the service; `tests/ops/test_lock.py` compares their lock with that of the tests."""
    assert "--require-hashes -r /tmp/requirements.lock" in (DEPLOY / "Containerfile").read_text()
    server = re.findall(r"^([\w.-]+)==", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    names = {canonicalize_name(name) for name in server}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *extras["server"], *extras["archive"]]
    assert {canonicalize_name(Requirement(text).name) for text in wanted} <= names
    assert "pytest" not in names


@pytest.mark.integration
def test_what_scales_the_workers_can_be_asked(rendered, database):
    """Each question, by the login of the service; and the queue has the name that RQ gives it."""
    triggers = [
        trigger
        for one in of_kind(rendered["overlays/keda"], "ScaledObject")
        for trigger in one["spec"]["triggers"]
    ]
    asked = [one["metadata"]["query"] for one in triggers if one["type"] == "postgresql"]
    assert len(asked) == len(WORKERS)
    with psycopg.connect(database) as connection:
        for query in asked:
            assert connection.execute(query).fetchall() == [(0,)]
    lists = [one["metadata"]["listName"] for one in triggers if one["type"] == "redis"]
    assert lists == [Queue.redis_queue_namespace_prefix + ODDS]


@pytest.mark.integration
def test_a_dispatcher_is_missed_only_where_that_is_certain(pool, database):
    """One of this host that has said nothing for long; not while the database is away."""
    assert not is_dispatcher_alive(database, "here")
    process_registry.report_alive(pool, "dispatcher-here-1-aaaa", process_registry.DISPATCHER)
    process_registry.report_alive(pool, "ai-there-1-aaaa", "ai")
    assert is_dispatcher_alive(database, "here")
    assert not is_dispatcher_alive(database, "h")
    assert not is_dispatcher_alive(database, "there")
    with pool.connection() as connection:
        connection.execute("UPDATE es.alive SET beat_at = beat_at - interval '1 minute'")
    assert not is_dispatcher_alive(database, "here")
    assert is_dispatcher_alive(f"postgresql://nobody@127.0.0.1:{free_port()}/none", "here")


@pytest.fixture
def image(tmp_path):
    """A folder with what the container gets, and nothing else; compiled as there."""
    folder = reachable_folder(tmp_path / "app")
    folder.mkdir(exist_ok=True)
    wanted = re.findall(r"^!(\w+)$", (ROOT / ".dockerignore").read_text(), re.MULTILINE)
    for name in wanted:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("kustomize"))
    yield folder
    shutil.rmtree(folder, ignore_errors=True)


def containerfile(word):
    text = (DEPLOY / "Containerfile").read_text(encoding="utf-8").replace("\\\n", " ")
    return [line.removeprefix(word).strip() for line in text.splitlines() if line.startswith(word)]


@pytest.mark.integration
@pytest.mark.slow
def test_the_containers_programs_run(servers, image, tmp_path):
    """In a folder like the container's: migrated, then ready, with a dispatcher at work."""
    name = f"rutter_image_{os.getpid()}"
    with psycopg.connect(servers.owner_url, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    port = free_port()
    env = dict(pair.split("=", 1) for line in containerfile("ENV") for pair in line.split())
    env |= {
        "PATH": os.environ["PATH"],
        "PYTHONPATH": str(image),
        "PYTHONDONTWRITEBYTECODE": "1",
        "DATABASE_URL": servers.database_url.rpartition("/")[0] + f"/{name}",
        "REDIS_URL": f"{servers.redis_url.removesuffix('/0')}/3",
        "RUTTER_SIGNING_KEY": KEY,
        "RUTTER_BIND": f"127.0.0.1:{port}",
        "PROMETHEUS_MULTIPROC_DIR": str(image),
    }
    owner = {**env, "RUTTER_MIGRATE_URL": servers.owner_url.rpartition("/")[0] + f"/{name}"}
    (entry,), (default,) = (
        map(yaml.safe_load, containerfile("ENTRYPOINT")),
        map(yaml.safe_load, containerfile("CMD")),
    )
    assert entry[0] == "python"

    def command(words):
        return [PYTHON, *entry[1:], *words]

    data = reachable_folder(tmp_path / "data")
    migrated = subprocess.run(
        command(["ops", "migrate", "--data", str(data)]), env=owner, cwd=image, capture_output=True,
        text=True, check=False,
    )  # fmt: skip
    shutil.rmtree(data, ignore_errors=True)
    assert migrated.returncode == 0, migrated.stderr
    with ExitStack() as running:
        for words in (default, ["workers", "dispatcher"], *(["workers", "work", duty] for duty in WORKERS)):
            child = subprocess.Popen(command(words), env=env, cwd=image, stdout=subprocess.DEVNULL)
            running.callback(child.wait)
            running.callback(child.terminate)
        until(lambda: is_ready(f"http://127.0.0.1:{port}/readyz"), "nothing is lacking")
        probe = subprocess.run(command(["workers.probe"]), env=env, cwd=image, check=False)
        assert probe.returncode == 0
    with psycopg.connect(servers.owner_url, autocommit=True) as connection:
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def is_ready(address):
    """Return True if the service there lacks nothing."""
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE) as told:  # noqa: S310 - ours
            return b'"ready"' in told.read()
    except OSError:
        return False
