package change

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"unsafe"

	"golang.org/x/sys/windows"
)

// The attributes of an entry on Windows, by what they are called in a State.
const (
	// flagsAttribute is what is hidden and the like, in keptFlags, 4 bytes with the lowest first.
	flagsAttribute = "windows.attributes"
	// rightsAttribute is the list of rights that the entry has beside those of its folder: a
	// byte, 1 where the folder's are kept from it, and an ACL.
	rightsAttribute = "windows.dacl"
)

// keptFlags are the flags that a user sets. Whether it can be written is in the mode.
const keptFlags = windows.FILE_ATTRIBUTE_HIDDEN | windows.FILE_ATTRIBUTE_SYSTEM | windows.FILE_ATTRIBUTE_NOT_CONTENT_INDEXED

// openEntry opens an entry itself, never what a link leads to, for certain rights on it.
func (s spot) openEntry(access uint32) (handle windows.Handle, err error) {
	name, err := windows.NewNTUnicodeString(s.name)
	if err != nil {
		return 0, err
	}
	object := windows.OBJECT_ATTRIBUTES{RootDirectory: windows.Handle(s.handle.Fd()), ObjectName: name}
	object.Length = uint32(unsafe.Sizeof(object))
	var status windows.IO_STATUS_BLOCK
	err = windows.NtCreateFile(&handle, access|windows.SYNCHRONIZE, &object, &status, nil, 0,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, windows.FILE_OPEN,
		windows.FILE_OPEN_REPARSE_POINT|windows.FILE_SYNCHRONOUS_IO_NONALERT|windows.FILE_OPEN_FOR_BACKUP_INTENT, 0, 0)
	if status, ok := errors.AsType[windows.NTStatus](err); ok {
		err = status.Errno()
	}
	return handle, err
}

// readAttributes returns the flags and rights of an entry; nil where it has only those that
// every entry in its folder has. What this user may not read is left out.
func readAttributes(at spot) (map[string][]byte, error) {
	handle, err := at.openEntry(windows.FILE_READ_ATTRIBUTES | windows.READ_CONTROL)
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the attributes of %s: %w", at.name, err)
	}
	defer windows.CloseHandle(handle)
	all := map[string][]byte{}
	basic, err := readBasic(handle)
	if err != nil {
		return nil, fmt.Errorf("read the attributes of %s: %w", at.name, err)
	}
	if flags := basic.attributes & keptFlags; flags != 0 {
		all[flagsAttribute] = binary.LittleEndian.AppendUint32(nil, flags)
	}
	rights, err := readRights(handle)
	if err != nil {
		return nil, fmt.Errorf("read the rights of %s: %w", at.name, err)
	}
	if rights != nil {
		all[rightsAttribute] = rights
	}
	if len(all) == 0 {
		return nil, nil
	}
	return all, nil
}

// setAttributes gives an entry these flags and rights and no others, as far as this user may.
func setAttributes(at spot, wanted map[string][]byte) error {
	now, err := readAttributes(at)
	if err != nil {
		return err
	}
	flags, rights := !bytes.Equal(now[flagsAttribute], wanted[flagsAttribute]), !bytes.Equal(now[rightsAttribute], wanted[rightsAttribute])
	if !flags && !rights {
		return nil
	}
	access := uint32(windows.FILE_READ_ATTRIBUTES)
	if flags {
		access |= windows.FILE_WRITE_ATTRIBUTES
	}
	if rights {
		access |= windows.READ_CONTROL | windows.WRITE_DAC
	}
	handle, err := at.openEntry(access)
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("set the attributes of %s: %w", at.name, err)
	}
	defer windows.CloseHandle(handle)
	if flags {
		err = setFlags(handle, wanted[flagsAttribute])
	}
	if rights {
		err = errors.Join(err, setRights(handle, wanted[rightsAttribute]))
	}
	if err != nil {
		return fmt.Errorf("set the attributes of %s: %w", at.name, err)
	}
	return nil
}

func readBasic(handle windows.Handle) (basic basicInformation, err error) {
	err = windows.GetFileInformationByHandleEx(handle, windows.FileBasicInfo, (*byte)(unsafe.Pointer(&basic)), uint32(unsafe.Sizeof(basic)))
	return basic, err
}

func setFlags(handle windows.Handle, wanted []byte) error {
	basic, err := readBasic(handle)
	if err != nil {
		return err
	}
	basic.attributes &^= keptFlags
	if len(wanted) == 4 {
		basic.attributes |= binary.LittleEndian.Uint32(wanted) & keptFlags
	}
	if basic.attributes == 0 {
		basic.attributes = windows.FILE_ATTRIBUTE_NORMAL // 0 leaves them as they are
	}
	basic.created, basic.accessed, basic.written, basic.changed = 0, 0, 0, 0 // which stay
	return windows.SetFileInformationByHandle(handle, windows.FileBasicInfo, (*byte)(unsafe.Pointer(&basic)), uint32(unsafe.Sizeof(basic)))
}

// An ACL is a header of aclHeader bytes, with its size and how many entries it has, two bytes
// each, from aclSize and aclCount on, and the entries: a type, flags, and a size of two bytes.
const (
	aclRevision                  = 2
	aclHeader, aclSize, aclCount = 8, 2, 4
	entryFlags, entrySize        = 1, 2
)

// readRights is the value of rightsAttribute; nil where all rights are those of the folder.
func readRights(handle windows.Handle) ([]byte, error) {
	descriptor, err := windows.GetSecurityInfo(handle, windows.SE_FILE_OBJECT, windows.DACL_SECURITY_INFORMATION)
	if err != nil {
		return nil, err
	}
	return ownRights(descriptor)
}

// ownRights are the rights of a descriptor that are not its folder's, as readRights returns them.
func ownRights(descriptor *windows.SECURITY_DESCRIPTOR) ([]byte, error) {
	control, _, err := descriptor.Control()
	if err != nil {
		return nil, err
	}
	list, _, err := descriptor.DACL()
	if errors.Is(err, windows.ERROR_OBJECT_NOT_FOUND) || err == nil && list == nil {
		return nil, nil // as on a file system without rights
	}
	if err != nil {
		return nil, err
	}
	rights := []byte{0}
	if control&windows.SE_DACL_PROTECTED != 0 {
		rights[0] = 1
	}
	head := unsafe.Slice((*byte)(unsafe.Pointer(list)), aclHeader)
	whole := unsafe.Slice((*byte)(unsafe.Pointer(list)), binary.LittleEndian.Uint16(head[aclSize:]))
	rights = append(rights, head...)
	count, size := uint16(0), uint16(aclHeader) // of what is kept, which is at most the whole
	for rest := whole[aclHeader:]; len(rest) > entrySize+1; {
		next := binary.LittleEndian.Uint16(rest[entrySize:])
		if next <= entrySize+1 || int(next) > len(rest) {
			break // behind the last entry there may be space
		}
		if rest[entryFlags]&windows.INHERITED_ACE == 0 {
			rights = append(rights, rest[:next]...)
			count, size = count+1, size+next
		}
		rest = rest[next:]
	}
	if count == 0 && rights[0] == 0 {
		return nil, nil
	}
	binary.LittleEndian.PutUint16(rights[1+aclSize:], size)
	binary.LittleEndian.PutUint16(rights[1+aclCount:], count)
	return rights, nil
}

func setRights(handle windows.Handle, wanted []byte) error {
	list := []byte{aclRevision, 0, aclHeader, 0, 0, 0, 0, 0} // no entry: those of the folder
	how := windows.SECURITY_INFORMATION(windows.DACL_SECURITY_INFORMATION | windows.UNPROTECTED_DACL_SECURITY_INFORMATION)
	if len(wanted) > aclHeader {
		list = bytes.Clone(wanted[1:])
		if wanted[0] == 1 {
			how = windows.DACL_SECURITY_INFORMATION | windows.PROTECTED_DACL_SECURITY_INFORMATION
		}
	}
	err := windows.SetSecurityInfo(handle, windows.SE_FILE_OBJECT, how, nil, nil, (*windows.ACL)(unsafe.Pointer(&list[0])), nil)
	if errors.Is(err, windows.ERROR_ACCESS_DENIED) || errors.Is(err, windows.ERROR_NOT_SUPPORTED) {
		return nil
	}
	return err
}
