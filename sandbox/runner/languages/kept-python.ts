import { PYTHON_VALUES } from './kept-python-values.ts';

/**
 * Runs the calls of a kept session in one interpreter. Each call arrives by a pipe as a line with its length, followed by JSON and the contents of its files; its
 * end is a mark on both outputs, followed on stdout by the result. A timer raises an exception in a call whose time is over, so that its
 * variables remain. The program controls all of this, so that it can deceive only its owner.
 */
export const KEPT_PYTHON = `
def _serve():
    import ast, inspect, io, json, linecache, os, signal, sys, traceback, types
    control = open(".session", "rb")
    os.unlink(".session")
    outer, pid = (os.dup(1), os.dup(2)), os.getpid()
    main = types.ModuleType("__main__")
    main.__builtins__ = __builtins__
    sys.modules["__main__"] = main
    sys.argv = ["main.py"]
    # Line by line, so that the output of a call that times out is not lost.
    sys.stdout.reconfigure(line_buffering=True)
    number, home, loop, is_running = 0, os.getcwd(), None, False
${PYTHON_VALUES}
    Timeout = type("Timeout", (KeyboardInterrupt,), {"__module__": "builtins"})

    def interrupt(*_):
        if is_running: raise Timeout("the time of this call is over")

    def enter():
        # The program may have gone elsewhere; what it writes to out/ there is collected as well.
        try: place = os.path.realpath(os.getcwd()) + "/"
        except OSError: place = ""
        if not place.startswith(os.path.realpath(home) + "/"): os.chdir(home)
        out = os.path.join(home, "out")
        os.makedirs(out, exist_ok=True)
        if not os.path.lexists("out") and not place.startswith(os.path.realpath(out) + "/"): os.symlink(out, "out")

    def place(files):
        for path, content in files:
            folder = os.path.dirname(path)
            if folder: os.makedirs(folder, exist_ok=True)
            with open(path, "wb") as opened: opened.write(content)

    def write(fd, data):
        while data: data = data[os.write(fd, data):]

    def show(error):
        # Hides the frames of this server.
        trace = error.__traceback__
        while trace and trace.tb_frame.f_code.co_filename == "<string>": trace = trace.tb_next
        shown = traceback.TracebackException(type(error), error, trace, compact=True)
        if isinstance(error, Timeout) and shown.stack[-1:]: shown.stack.pop()
        print("".join(shown.format()), end="", file=sys.stderr)

    def run(code, name):
        tree = ast.parse(code, name)
        last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        body = compile(tree, name, "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
        value = compile(last, name, "eval", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT) if last else None
        def go():
            evaluate(body)
            return evaluate(value) if value else None
        return go

    def evaluate(code):
        nonlocal loop
        result = eval(code, main.__dict__)
        if not code.co_flags & inspect.CO_COROUTINE: return result
        import asyncio
        loop = loop or asyncio.new_event_loop()
        try: return loop.run_until_complete(result)
        except Timeout:
            # What still waits there would continue with a later call.
            for task in asyncio.all_tasks(loop): task._log_destroy_pending = False
            loop = None
            raise

    def use(environment):
        before = {name: os.environ[name] for name in environment if name in os.environ}
        os.environ.update(environment)
        def restore():
            for name, value in environment.items():
                if os.environ.get(name) != value: continue
                if name in before: os.environ[name] = before[name]
                else: del os.environ[name]
        return restore

    while True:
        head = control.readline()
        if not head: os._exit(0)
        message = json.loads(control.read(int(head)))
        files = message["files"]
        if files is not None: files = [(file["path"], control.read(file["size"])) for file in files]
        number += 1
        name = "main.py" if number == 1 else f"main-{number}.py"
        code, result = message["code"], {"exitCode": 0}
        linecache.cache[name] = (len(code), None, code.splitlines(True), name)
        sys.stdin = io.TextIOWrapper(io.BytesIO(message["stdin"].encode()), encoding="utf-8")
        restore, figures, shown = use(message["environment"]), sys.modules.get("tripod_figures"), 0
        if figures: shown = figures.saved
        try:
            signal.signal(signal.SIGALRM, interrupt)
            enter()
            if files is not None: place(files)
            files = None
            try: go = run(code, name)
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                result["invalid"] = "".join(traceback.format_exception_only(type(error), error))[:4000]
            else:
                is_running = True
                signal.setitimer(signal.ITIMER_REAL, message["timeoutSeconds"])
                value = go()
                if value is not None: result |= show_value(value)
        except SystemExit as error:
            code = error.code
            if code is None: pass
            elif isinstance(code, int): result["exitCode"] = code & 255
            else:
                print(code, file=sys.stderr)
                result["exitCode"] = 1
        except BaseException as error:
            result["exitCode"] = 1
            if isinstance(error, Timeout): result["timedOut"] = True
            try: show(error)
            except BaseException: pass
        finally:
            is_running = False
            signal.setitimer(signal.ITIMER_REAL, 0)
            restore()
        figures = sys.modules.get("tripod_figures")
        if figures and figures.saved > shown: result["shown"] = True
        if os.getpid() != pid: os._exit(0)
        for stream in (sys.stdout, sys.stderr):
            try: stream.flush()
            except BaseException: pass
        mark = message["mark"]
        write(outer[1], f"\\0{mark}:\\0".encode())
        write(outer[0], f"\\0{mark}:{json.dumps(result)}\\0".encode())

_serve()
`;
