"""Fork: a child works on connections of its own, whatever the threads of its parent were doing."""

from __future__ import annotations

import tempfile

import redis
from conftest import finish, until


def test_children_of_a_busy_parent_work_and_none_hangs(script):
    program = script(
        """
        import os, threading, time

        busy = True
        def work():
            while busy:
                id = queue.enqueue(b"parent", delay=60).id
                assert queue.cancel(id) == "scheduled"
                queue.pop(wait=0.001)

        def child(n):
            mine = client.queue(queue.topic + str(n))
            payload = f"child {n}".encode()
            assert mine.enqueue(payload, id=str(n)).id == str(n)
            [job] = mine.pop(wait=10)
            assert (job.id, job.payload) == (str(n), payload), job
            assert mine.ack(job) == "acked"
            assert queue.enqueue(payload, delay=60).outcome == "created"
            client.close()

        threads = [threading.Thread(target=work) for _ in range(3)]
        [thread.start() for thread in threads]
        children = {}
        for n in range(60):
            pid = os.fork()
            if pid == 0:
                try:
                    child(n)
                    os._exit(0)
                except BaseException as e:
                    print(n, repr(e), flush=True)
                    os._exit(1)
            children[pid] = n
        ended, deadline = {}, time.monotonic() + 60
        while len(ended) < len(children) and time.monotonic() < deadline:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid:
                ended[pid] = status
            else:
                time.sleep(0.005)
        busy = False
        [thread.join() for thread in threads]
        for pid in children.keys() - ended.keys():
            os.kill(pid, 9)
        print(len(ended), sum(ended.values()))
        client.ping()
        """
    )
    assert finish(program) == "60 0\n"


def test_children_that_are_forked_during_the_very_first_calls_do_not_hang(script):
    # Many at once, so that threads lose the processor in the middle of whatever is made at first use.
    programs = [
        script(
            """
            import os, threading
            def first():
                queue.cancel(queue.enqueue(b"x", delay=60).id)
                queue.pop()
                queue.requeue()
            threads = [threading.Thread(target=first) for _ in range(3)]
            [thread.start() for thread in threads]
            for _ in range(20):
                if os.fork() == 0:
                    first()
                    os._exit(0)
            print([os.wait()[1] for _ in range(20)])
            [thread.join() for thread in threads]
            """
        )
        for _ in range(20)
    ]
    assert {finish(program) for program in programs} == {f"{[0] * 20}\n"}


def test_a_pool_of_forked_processes_shares_a_handle(script):
    program = script(
        """
        import multiprocessing

        def work(n):
            id = queue.enqueue({"n": n}, id=str(n)).id
            done = [job for job in queue.pop(2) if queue.ack(job) == "acked"]
            return id, done

        client.ping()
        with multiprocessing.get_context("fork").Pool(4) as pool:
            results = pool.map(work, range(40), chunksize=1)
            pool.close()
            pool.join()
        assert [id for id, _ in results] == [str(n) for n in range(40)]
        done = [job.id for _, jobs in results for job in jobs] + [job.id for job in queue.pop(1000)]
        print(sorted(map(int, done)) == list(range(40)))
        """
    )
    assert finish(program) == "True\n"


def test_a_child_does_not_stop_the_server_of_its_parent_which_ends_with_it(script):
    with tempfile.TemporaryDirectory(prefix="dq") as folder:
        program = script(
            """
            import os
            if os.fork() == 0:
                queue.enqueue(b"from the child")
                client.close()
                raise SystemExit  # through the whole end of the interpreter
            os.wait()
            client.ping()
            [job] = queue.pop(wait=10)
            print(job.payload)
            """,
            at=f"embedded:{folder}",
        )
        assert finish(program) == "b'from the child'\n"

        def gone():
            try:
                return not redis.Redis.from_url(f"unix://{folder}/delayq.sock").ping()
            except redis.ConnectionError:
                return True

        until(gone)


def test_generations_of_children(script):
    program = script(
        """
        import os, sys
        queue.enqueue(b"0")
        for generation in range(1, 4):
            if os.fork():
                sys.exit(os.waitstatus_to_exitcode(os.wait()[1]))
            queue.enqueue(str(generation).encode())
        print(len(queue.pop(10)), flush=True)
        """
    )
    assert finish(program) == "4\n"
