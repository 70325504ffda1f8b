/**
 * Runs the calls of a kept session in one interpreter. Each call arrives by a pipe as a line with its length, followed by JSON and the contents of its files; its
 * end is a mark on both outputs, followed on stdout by the result. The program controls all of this, so that it can deceive only its owner.
 */
export const KEPT_PYTHON = `
def _serve():
    import ast, io, json, linecache, os, sys, traceback, types
    control = open(".session", "rb")
    os.unlink(".session")
    outer, pid = (os.dup(1), os.dup(2)), os.getpid()
    main = types.ModuleType("__main__")
    main.__builtins__ = __builtins__
    sys.modules["__main__"] = main
    sys.argv = ["main.py"]
    # Line by line, so that the output of a call that times out is not lost.
    sys.stdout.reconfigure(line_buffering=True)
    number = 0

    def place(files):
        os.makedirs("out", exist_ok=True)
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
        traceback.print_exception(type(error), error, trace)

    def run(code, name):
        tree = ast.parse(code, name)
        last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        body = compile(tree, name, "exec")
        value = compile(last, name, "eval") if last else None
        def go():
            exec(body, main.__dict__)
            return eval(value, main.__dict__) if value else None
        return go

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
        os.environ.update(message["environment"])
        try:
            if files is not None: place(files)
            files = None
            try: go = run(code, name)
            except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
                result["invalid"] = "".join(traceback.format_exception_only(type(error), error))[:4000]
            else:
                value = go()
                if value is not None: result["value"] = repr(value)[:65536]
        except SystemExit as error:
            code = error.code
            if code is None: pass
            elif isinstance(code, int): result["exitCode"] = code & 255
            else:
                print(code, file=sys.stderr)
                result["exitCode"] = 1
        except BaseException as error:
            result["exitCode"] = 1
            try: show(error)
            except BaseException: pass
        if os.getpid() != pid: os._exit(0)
        for stream in (sys.stdout, sys.stderr):
            try: stream.flush()
            except BaseException: pass
        mark = message["mark"]
        write(outer[1], f"\\0{mark}:\\0".encode())
        write(outer[0], f"\\0{mark}:{json.dumps(result)}\\0".encode())

_serve()
`;
