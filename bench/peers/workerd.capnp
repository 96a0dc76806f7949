# A Worker that loads a Dynamic Worker for every program: peers/workerd.mjs starts it.
using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [(name = "main", worker = .host)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const host :Workerd.Worker = (
  modules = [(name = "host.js", esModule = embed "workerd_host.js")],
  compatibilityDate = "2026-01-01",
  bindings = [(name = "LOADER", workerLoader = ())],
);
