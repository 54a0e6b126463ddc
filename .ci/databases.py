"""Servers of databases in a folder of their own, for `.ci/sql` and `.ci/wordpress`."""

import contextlib
import glob
import os
import pwd
import shutil
import subprocess
import sys
import time


def run(*command, **options):
    """Standard output of a command, which must succeed."""
    ended = subprocess.run([str(part) for part in command], capture_output=True, **options)
    if ended.returncode != 0:
        sys.exit(f"{command[0]} failed: {(ended.stderr + ended.stdout).decode(errors='replace')[-2000:]}")
    return ended.stdout


@contextlib.contextmanager
def mariadb(folder):
    """A server of MariaDB; gives the options with which clients reach it."""
    data, socket = folder / "mysql", folder / "mysql.sock"
    user = pwd.getpwuid(os.getuid()).pw_name
    run("mariadb-install-db", "--no-defaults", f"--datadir={data}", f"--user={user}", "--auth-root-authentication-method=normal")
    server = shutil.which("mariadbd") or "/usr/sbin/mariadbd"
    command = [server, "--no-defaults", f"--datadir={data}", f"--socket={socket}", f"--user={user}", "--skip-networking"]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(200):
            if subprocess.run(["mariadb-admin", f"--socket={socket}", "ping"], capture_output=True).returncode == 0:
                break
            time.sleep(0.2)
        yield [f"--socket={socket}", "--user=root"]
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def postgres(folder):
    """A server of PostgreSQL; gives a function that runs its clients. The server refuses to run as root."""
    tools = max(glob.glob("/usr/lib/postgresql/*/bin"), default="")
    data = folder / "pg"
    is_root = os.getuid() == 0
    prefix = ["runuser", "-u", "postgres", "--"] if is_root else []
    data.mkdir()
    if is_root:
        shutil.chown(data, "postgres")
    here = {"cwd": data, "env": {**os.environ, "LC_ALL": "C.UTF-8"}}
    run(*prefix, f"{tools}/initdb", "-D", data, "-A", "trust", "-E", "UTF8", **here)
    listens = f"-k {data} -c listen_addresses=''"
    # The server must not inherit the pipes of this program.
    start = [*prefix, f"{tools}/pg_ctl", "-D", str(data), "-o", listens, "-w", "-l", str(data / "log"), "start"]
    subprocess.run(start, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **here)
    try:
        yield lambda tool, *rest, **more: run(*prefix, f"{tools}/{tool}", "-h", data, *rest, **here, **more)
    finally:
        run(*prefix, f"{tools}/pg_ctl", "-D", data, "-m", "immediate", "stop", **here)
