import pytest, subprocess, json, os, urllib.request
def test_cli(live_server):
    a=live_server.address
    r=urllib.request.urlopen(urllib.request.Request(a+"/v1/accounts",data=b"{}",headers={"Content-Type":"application/json"},method="POST"))
    tok=json.load(r)["token"]
    p=subprocess.run([".venv/bin/schemathesis","run",a+"/openapi.json","-H","Authorization: Bearer "+tok,"--max-examples","25","--workers","1","--no-color"],capture_output=True,text=True,timeout=550)
    open("/tmp/st.log","w").write(p.stdout+p.stderr)
    print(p.stdout[-6000:])
    assert 0
