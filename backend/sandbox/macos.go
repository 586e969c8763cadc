package sandbox

// What every confined command on macOS may use of the system, and what none may. Most
// names are those of Chromium's profile for all its processes (sandbox/policy/mac/common.sb).

// macFolders are the folders of the system's programs, and of those that package
// managers install for all. Those of /System and /Library are named one by one: in the
// first everything of the user's can be reached by another name, and in the second
// lie settings and data of programs.
var macFolders = []string{
	"/usr", "/bin", "/sbin",
	"/System/Library", "/System/Cryptexes", "/System/Volumes/Preboot", "/System/iOSSupport", "/System/DriverKit",
	"/Library/Apple", "/Library/Developer", "/Library/Filesystems/NetFSPlugins", "/Library/Fonts", "/Library/Frameworks",
	"/Library/Java", "/Library/Perl", "/Library/Preferences/Logging", "/Library/Python", "/Library/Ruby",
	"/private/etc", "/private/var/db/dyld", "/private/var/db/timezone", "/private/var/select",
	"/Applications/Xcode.app", "/opt/homebrew", "/opt/local", "/nix",
}

// macFiles are single files, folders to list, and the links to folders in /private.
// Xcode's tools look for the user's consent to their licence in its settings.
var macFiles = []string{
	"/", "/dev", "/etc", "/tmp", "/var", "/private/var/db/xcode_select_link",
	"/Library/Preferences/.GlobalPreferences.plist", "/Library/Preferences/com.apple.dt.Xcode.plist",
}

// deniedFolders are never shown, wherever one that is shown may lie: key rings, and
// the databases of servers that package managers have installed.
var deniedFolders = []string{"/Library/Keychains", "/opt/homebrew/var", "/opt/local/var", "/usr/local/var"}

// deniedPrograms ask others to act, who are not confined, or read key rings. What they
// talk to is out of reach for a copy of them too.
var deniedPrograms = []string{
	"/bin/launchctl", "/usr/bin/automator", "/usr/bin/open", "/usr/bin/osascript", "/usr/bin/security",
}

// plainDevices may be read and written, sourceDevices only read.
var (
	plainDevices = []string{
		"/dev/null", "/dev/zero", "/dev/tty", "/dev/ptmx", "/dev/dtracehelper", "/dev/stdin", "/dev/stdout", "/dev/stderr",
	}
	sourceDevices = []string{"/dev/random", "/dev/urandom", "/dev/autofs_nowait"}
)

// systemValues and systemValuePrefixes are what may be asked of the system by
// sysctl(3). The rest stays closed, because kern.procargs2, which has no name that
// a rule could deny, gives away the environment of the user's other programs.
var (
	systemValues = []string{
		"kern.argmax", "kern.boottime", "kern.hostname", "kern.iossupportversion", "kern.maxfiles", "kern.maxfilesperproc",
		"kern.maxproc", "kern.ngroups", "kern.osproductversion", "kern.osrelease", "kern.ostype", "kern.osvariant_status",
		"kern.osversion", "kern.secure_kernel", "kern.tcsm_available", "kern.tcsm_enable", "kern.usrstack64", "kern.version",
		"kern.willshutdown", "machdep.ptrauth_enabled", "security.mac.lockdown_mode_state", "sysctl.proc_cputype",
		"sysctl.proc_translated", "vm.loadavg",
	}
	systemValuePrefixes = []string{"hw.", "kern.proc.pgrp.", "kern.proc.pid.", "machdep.cpu."}
)

// services may be talked to: those that keep the log, tell of changes and know the
// names of users. Those that hold keys, start programs or hand over what another
// program has are not among them.
var services = []string{
	"com.apple.diagnosticd", "com.apple.logd", "com.apple.system.DirectoryService.libinfo_v1", "com.apple.system.logger",
	"com.apple.system.notification_center", "com.apple.system.opendirectoryd.libinfo",
	"com.apple.system.opendirectoryd.membership",
}

// networkServices may be talked to by a command that has the network: they look up
// names and proxies, and check certificates, for which they ask servers.
var networkServices = []string{
	"com.apple.SystemConfiguration.DNSConfiguration", "com.apple.SystemConfiguration.configd", "com.apple.dnssd.service",
	"com.apple.trustd", "com.apple.trustd.agent",
}

// How names of computers are looked up: by a server behind a socket, and by programs
// that do so themselves, for whom a file names the servers.
const (
	resolverSocket = "/private/var/run/mDNSResponder"
	resolverFile   = "/private/var/run/resolv.conf"
)
