package changetest

// Kind is a kind of work that commands do.
type Kind struct {
	Name string
	// Needs is the program without which it is left out; empty for none.
	Needs string
	// Prepare is done before by somebody else, and Line is the command.
	Prepare, Line string
	// Lost is what is not as it was after undo or redo, and why.
	Lost string
}

// Kinds are done in a folder that Fill has filled. What they write beside it lies in the
// temporary folder: a confined command may write to no other.
var Kinds = []Kind{
	{Name: "nothing", Line: "true"},
	{Name: "new file", Line: "echo new >new.txt"},
	{Name: "new folders", Line: "mkdir -p new/deep && echo new >new/deep/x"},
	{Name: "append", Line: "echo more >>a.txt"},
	{Name: "truncate", Line: ": >a.txt"},
	{Name: "remove", Line: "rm a.txt link"},
	{Name: "remove a tree", Line: "rm -rf sub"},
	{Name: "move a file", Line: "mv a.txt moved.txt"},
	{Name: "move a tree", Line: "mv sub moved"},
	{Name: "move a tree and change in it", Line: "mv sub moved && echo more >>moved/b.txt"},
	{Name: "exchange names", Line: "mv a.txt t && mv run.sh a.txt && mv t run.sh"},
	{Name: "sed -i", Line: "sed -i s/o/0/ a.txt sub/b.txt sub/deep/c.txt"},
	{Name: "perl -i", Needs: "perl", Line: "perl -pi -e s/o/0/ a.txt sub/b.txt"},
	{Name: "chmod", Line: "chmod 600 a.txt && chmod 700 sub && chmod -x run.sh"},
	{Name: "touch", Line: "touch -d 2001-02-03 a.txt && touch sub/b.txt"},
	{Name: "file to folder", Line: "rm a.txt && mkdir a.txt && echo in >a.txt/in"},
	{Name: "folder to file", Line: "rm -r sub && echo file >sub"},
	{Name: "folder to file, moved before", Line: "mv sub moved && echo file >sub"},
	{Name: "folder made anew", Line: "rm -r sub && mkdir -p sub/deep && echo x >sub/b.txt"},
	{Name: "link to file", Line: "rm link && echo file >link"},
	{Name: "file to link", Line: "ln -sf run.sh a.txt"},
	{Name: "link elsewhere", Line: "ln -sfn sub link"},
	{Name: "break a hard link", Line: "sed -i s/l/L/ linked.txt"},
	{Name: "write through a hard link", Line: "echo more >>linked.txt"},
	{Name: "remove one name", Line: "rm linked.txt"},
	{Name: "remove both names", Line: "rm linked.txt sub/other.txt"},
	{Name: "new hard link", Line: "ln a.txt hard.txt"},
	{Name: "new hard link in place of a folder", Line: "rm -r sub && ln a.txt sub && touch -d 2001-02-03 a.txt"},
	{Name: "move a hard link", Line: "mv linked.txt elsewhere.txt"},
	{Name: "empty folders", Line: "mkdir -p e1/e2 && rmdir sub/deep 2>/dev/null || rm -r sub/deep"},
	{Name: "odd names", Line: `printf 1 >"$(printf 'a\nb')" && printf 2 >./-rf && printf 3 >'a:b,c' && printf 4 >漢字 && printf 5 >"$(printf '\377')"`},
	{Name: "remove odd names", Prepare: `printf 1 >"$(printf 'a\nb')" && printf 5 >"$(printf '\377')"`, Line: `rm -- "$(printf 'a\nb')" "$(printf '\377')"`},
	{Name: "sparse", Line: "truncate -s 50M sparse && truncate -s 1 a.txt"},
	{Name: "binary", Line: "head -c 100000 /dev/urandom >blob && head -c 10 /dev/urandom >run.sh"},
	{Name: "temporary", Line: "t=$(mktemp ./t.XXXXXX) && echo x >$t && mv $t a.txt"},
	{Name: "tar over existing", Needs: "tar", Line: "t=$(mktemp) && tar cf $t . && echo other >a.txt && rm sub/b.txt && tar xf $t && rm $t"},
	{
		Name: "mmap", Needs: "python3",
		Line: `python3 -c "import mmap; f=open('sub/b.txt','r+b'); m=mmap.mmap(f.fileno(),0); m[0:1]=b'T'; m.flush()"`,
	},
	{Name: "flock", Needs: "flock", Line: "flock a.txt sh -c 'echo more >>a.txt'"},
	{
		Name: "npm", Needs: "npm", Prepare: `mkdir pkg && echo '{"name":"pkg","version":"1.0.0"}' >pkg/package.json && echo 'module.exports=1' >pkg/index.js`,
		Line: "HOME=$(mktemp -d) npm install --offline --no-audit --no-fund --no-update-notifier ./pkg >/dev/null && rm -r pkg",
	},
	{Name: "cp -a", Line: "cp -a sub copy"},
	{Name: "rsync", Needs: "rsync", Line: "rsync -a --delete sub/ copy/ && rm sub/b.txt && rsync -a --delete sub/ copy/"},
	{Name: "make", Needs: "make", Line: "printf 'out: a.txt\\n\\tcp a.txt out\\n' >Makefile && make && make && touch a.txt && make"},
	{Name: "sqlite", Needs: "sqlite3", Line: "sqlite3 db 'create table t(a); insert into t values (1)' && sqlite3 db 'pragma journal_mode=wal; insert into t values (2)'"},
	{Name: "git init and commit", Needs: "git", Line: "git init -q && git add -A && git commit -qm first"},
	{
		Name: "git checkout there and back", Needs: "git", Prepare: "git init -q -b main && git add -A && git commit -qm first && git branch other",
		Line: "git checkout -q other && echo x >a.txt && git commit -qam other && git checkout -q main && git checkout -q other",
	},
	{
		Name: "git rebase", Needs: "git", Prepare: "git init -q -b main && git add -A && git commit -qm first && git checkout -qb other && echo o >o && git add o && git commit -qm o && git checkout -q main && echo m >m && git add m && git commit -qm m",
		Line: "git checkout -q other && git rebase -q main",
	},
	{Name: "git gc", Needs: "git", Prepare: "git init -q -b main && git add -A && git commit -qm first && echo b >a.txt && git commit -qam second", Line: "git gc -q --prune=now && git repack -adq"},
	{Name: "git stash, clean, reset", Needs: "git", Prepare: "git init -q -b main && git add -A && git commit -qm first && echo b >a.txt && echo n >n", Line: "git stash -q && git clean -qfd && git reset -q --hard"},
	{Name: "git mv", Needs: "git", Prepare: "git init -q -b main && git add -A && git commit -qm first", Line: "git mv sub moved"},
	{Name: "change files and close them", Line: "echo more >>sub/b.txt && chmod 444 sub/b.txt && echo new >new && chmod 400 new && mv run.sh closed.sh && chmod 555 closed.sh"},
	{Name: "change a file that is closed", Prepare: "chmod 400 sub/b.txt", Line: "chmod 600 sub/b.txt && echo more >>sub/b.txt && chmod 400 sub/b.txt"},
	{Name: "change in a read-only folder", Prepare: "chmod 555 sub sub/deep", Line: "chmod 755 sub sub/deep && echo more >>sub/b.txt && rm sub/deep/c.txt && echo new >sub/deep/new && chmod 555 sub sub/deep"},
	{Name: "open a read-only folder and change it", Prepare: "chmod 555 sub sub/deep", Line: "chmod 755 sub sub/deep && echo more >>sub/b.txt && rm sub/deep/c.txt && echo new >sub/deep/new"},
	{Name: "close a folder after a change in it", Line: "rm sub/deep/c.txt && echo new >sub/new && chmod 555 sub/deep sub"},
	{Name: "move from one read-only folder to another", Prepare: "mkdir other && chmod 555 sub other", Line: "chmod 755 sub other && mv sub/b.txt other/b.txt && chmod 555 sub other"},
	{Name: "remove a read-only tree", Prepare: "chmod 555 sub sub/deep", Line: "chmod -R u+w sub && rm -r sub"},
	{Name: "python venv", Needs: "python3", Line: "python3 -m venv --without-pip env"},
	{Name: "go build", Needs: "go", Line: "printf 'module m\\n' >go.mod && printf 'package main\\nfunc main() {}\\n' >m.go && GOFLAGS= GOCACHE=$(mktemp -d) GOTOOLCHAIN=local go build -o m ."},
	{Name: "pipe", Line: "mkfifo pipe", Lost: "a pipe that is gone does not come back"},
}
